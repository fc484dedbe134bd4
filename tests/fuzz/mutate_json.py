"""Changes of JSON traces by tokens and elements: what comes out is mostly still JSON, and says something else."""
import re

TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[{}\[\],:]|[a-zA-Z]+|\s+|.', re.S)
OPENERS, CLOSERS = (b"{", b"["), (b"}", b"]")
MOST_BYTES = 40 << 10  # larger seeds lose elements first

NUMBERS = [str(n).encode() for n in (0, -1, 1, 2**31 - 1, -2**31, 2**32, 2**53 + 1, 2**63 - 1, -2**63, 2**63, 2**64 - 1, 2**64,
                                     10**30)]
NUMBERS += [b"1e308", b"-1e308", b"1e999", b"1e-999", b"0.0000000001", b"9223372036854775.807", b"9223372036854775.808",
            b"-0", b"01", b"1.", b"NaN", b"Infinity", b"0x10", b"1" * 400, b"0." + b"9" * 400, b"1e-5", b"3.5e6"]
TEXTS = [b'""', b'"\\u0000"', b'"\\u001b[31mred\\u001b[0m"', b'"\x1b]0;title\x07"', b'"\\ud800"', b'"\\udc00\\ud800"',
         b'"\xff\xfe"', b'"\xc0\xaf"', b'"\xed\xa0\x80"', '"\u202e\u2066\u200b\ufeff\U000e0041"'.encode(), b'"<script>alert(1)</script>"',
         b'"]]><!--"', b'"|a|b|\\n|-|-|"', b'"=1+1"', b'"%s%n%x"', b'"../../etc/passwd"', b'"' + b"A" * 70000 + b'"',
         b'"' + b"\\n" * 500 + b'"', b'"void f<int, (a)1>(x<y<z>>)"', b'"' + b"a<" * 3000 + b'"', b'"ProfilerStep#-1"',
         b'"ProfilerStep#99999999999999999999"', b'"ProfilerStep#1"', b'"Memcpy HtoD"', b'"cudaLaunchKernel"', b'"123"',
         b'"-9223372036854775808"', b'"1e400"', b'"[[1, 2], []]"', b'"[[' + b"9" * 30 + b']]"']
WORDS = [b'"ph"', b'"ts"', b'"dur"', b'"pid"', b'"tid"', b'"name"', b'"cat"', b'"args"', b'"id"', b'"bp"', b'"s"', b'"sort_index"',
         b'"External id"', b'"correlation"', b'"stream"', b'"device"', b'"bytes"', b'"grid"', b'"block"', b'"Input Dims"',
         b'"Input type"', b'"displayTimeUnit"', b'"traceEvents"', b'"deviceProperties"', b'"distributedInfo"', b'"schemaVersion"',
         b'"baseTimeNanoseconds"', b'"stackFrames"', b'"samples"', b'"id2"', b'"scope"', b'"sf"', b'"step_num"', b'"Collective name"']
PHASES = [b'"%c"' % c for c in b"BEXibensftCPNODMVvRc(),\x01"]
LITERALS = [b"null", b"true", b"false", b"{}", b"[]", b"[[]]", b'{"a":{}}', b"[" * 600 + b"]" * 600, b'{"":' * 200 + b"0" + b"}" * 200,
            b"tru", b""]


def element_end(tokens, i):
    """The place behind the value that begins at token i."""
    if tokens[i] not in OPENERS:
        return i + 1
    depth = 0
    for j in range(i, len(tokens)):
        depth += (tokens[j] in OPENERS) - (tokens[j] in CLOSERS)
        if depth == 0:
            return j + 1
    return len(tokens)


def pick(rng, tokens, good):
    """A token for which good() holds, or None; looked for from a random place on."""
    if not tokens:
        return None
    at = rng.randrange(len(tokens))
    for i in list(range(at, min(at + 400, len(tokens)))):
        if good(tokens[i]):
            return i
    return None


def is_number(t):
    return t[:1].isdigit() or (t[:1] == b"-" and len(t) > 1)


def replace_number(rng, tokens, other):
    i = pick(rng, tokens, is_number)
    if i is not None:
        near = [b"%d" % (int(tokens[i]) + rng.choice((-1, 1)))] if tokens[i].isdigit() else []
        tokens[i] = rng.choice(NUMBERS + near * 8)


def swap_numbers(rng, tokens, other):
    i, j = pick(rng, tokens, is_number), pick(rng, tokens, is_number)
    if i is not None and j is not None:
        tokens[i], tokens[j] = tokens[j], tokens[i]


def replace_text(rng, tokens, other):
    i = pick(rng, tokens, lambda t: t[:1] == b'"')
    if i is not None:
        tokens[i] = rng.choice(rng.choice((TEXTS, TEXTS, WORDS, PHASES)))


def replace_phase(rng, tokens, other):
    places = [i for i in range(len(tokens) - 2) if tokens[i] == b'"ph"']
    if places:
        value = next((j for j in range(rng.choice(places) + 1, len(tokens)) if tokens[j][:1] == b'"'), None)
        if value is not None:
            tokens[value] = rng.choice(PHASES)


def replace_value(rng, tokens, other):
    i = pick(rng, tokens, lambda t: t == b":")
    if i is not None and i + 1 < len(tokens):
        begin = i + 1 + (tokens[i + 1].isspace() and i + 2 < len(tokens))
        tokens[begin:element_end(tokens, begin)] = [rng.choice(rng.choice((LITERALS, NUMBERS, TEXTS)))]


def drop_token(rng, tokens, other):
    del tokens[rng.randrange(len(tokens))]


def drop_element(rng, tokens, other):
    i = pick(rng, tokens, lambda t: t in OPENERS)
    if i is not None:
        end = element_end(tokens, i)
        end += end < len(tokens) and tokens[end] == b","
        del tokens[i:end]


def repeat_element(rng, tokens, other):
    i = pick(rng, tokens, lambda t: t == b"{")
    if i:
        end = element_end(tokens, i)
        if end - i < 2000:
            tokens[end:end] = ([b","] + tokens[i:end]) * rng.choice((1, 1, 3, 30))


def repeat_key(rng, tokens, other):
    i = pick(rng, tokens, lambda t: t == b":")
    if i and i + 1 < len(tokens):
        tokens[i - 1:i - 1] = [rng.choice(WORDS), b":", rng.choice(NUMBERS + TEXTS), b","]


def graft_element(rng, tokens, other):
    theirs = TOKEN.findall(other[:MOST_BYTES])
    i, j = pick(rng, tokens, lambda t: t == b"{"), pick(rng, theirs, lambda t: t == b"{")
    if i and j:
        tokens[i:i] = theirs[j:element_end(theirs, j)][:2000] + [b","]


def insert_noise(rng, tokens, other):
    tokens.insert(rng.randrange(len(tokens) + 1), rng.choice((b"}", b"]", b"{", b"[", b",", b":", b'"', b"\\", b"\0", b"\xef\xbb\xbf", b"//x\n")))


CHANGES = (replace_number, replace_number, replace_number, swap_numbers, replace_text, replace_text, replace_phase, replace_value,
           replace_value, drop_token, drop_element, repeat_element, repeat_key, graft_element, insert_noise)


def shrink(rng, tokens):
    """Whole elements of the outer list go until little is left, so that one file takes milliseconds."""
    size, i = sum(map(len, tokens)), 1
    share = MOST_BYTES / size
    if share >= 1:
        return tokens
    kept, depth = [], 0
    while i < len(tokens):
        if tokens[i] == b"{" and tokens[i - 1] != b":" and depth >= 1:
            end = element_end(tokens, i)
            if end - i < 500 and rng.random() > share:
                i = end + (end < len(tokens) and tokens[end] == b",")
                continue
        depth += (tokens[i] in OPENERS) - (tokens[i] in CLOSERS)
        kept.append(tokens[i])
        i += 1
    return tokens[:1] + kept


def change(rng, data, other):
    tokens = TOKEN.findall(data)
    tokens = shrink(rng, [t for t in tokens if not t.isspace()])
    for _ in range(rng.choice((1, 2, 4, 8, 20))):
        if tokens:
            rng.choice(CHANGES)(rng, tokens, other)
    return b"".join(tokens)
