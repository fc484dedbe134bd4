# bash completion for stepscope. A test compares its words with the program's own lists.
_stepscope() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command= first= operands=0 i
	local tables='overview trace devices streams tracks steps step_parts phases idle gaps verdicts gap_groups input input_ops pipelines iterators compiles ops op_types roofline op_tree kernels kernel_families gpu_metrics launches fusion copies launch_totals queue latency_histogram tiny_ops syncs precisions tensor_cores findings events notes'
	local common='--quiet --no-cache --threads --help --version'
	local views="--steps-by --semantics --tc-rules $common"
	local valued=' --window --step --gap --format --output -o --filter --sort --top --names --by --fail-on --every-k --steps-by --semantics --tc-rules --color --theme --threads --keep --kinds --graphs --for --pid --iterations '
	for ((i = 1; i < COMP_CWORD; i++)); do
		[[ $valued == *" ${COMP_WORDS[i-1]} "* || ${COMP_WORDS[i]} == -?* ]] && continue
		case ${COMP_WORDS[i]} in report | table | notes | findings | pack | watch | run | record | attach | trigger | doctor) ((operands == 0)) && [[ -z $command ]] && { command=${COMP_WORDS[i]}; continue; } ;; esac
		((operands++ == 0)) && first=${COMP_WORDS[i]}
	done
	case $prev in
	--format)
		case $command in
		report) COMPREPLY=($(compgen -W 'md html svg json text' -- "$cur")) ;;
		*) COMPREPLY=($(compgen -W 'text csv json md' -- "$cur")) ;;
		esac
		return ;;
	--names) COMPREPLY=($(compgen -W 'full short family' -- "$cur")); return ;;
	--by)
		case $first in
		launches) COMPREPLY=($(compgen -W 'op kernel thread api device' -- "$cur")) ;;
		*) COMPREPLY=($(compgen -W 'op type scope module shape stack' -- "$cur")) ;;
		esac
		return ;;
	--theme) COMPREPLY=($(compgen -W 'dark light mono' -- "$cur")); return ;;
	--keep) COMPREPLY=($(compgen -W '256MiB 60s all' -- "$cur")); return ;;
	--fail-on) COMPREPLY=($(compgen -W 'warn fail never' -- "$cur")); return ;;
	--semantics) COMPREPLY=($(compgen -W 'stepscope xprof hta kineto' -- "$cur")); return ;;
	--tc-rules) COMPREPLY=($(compgen -W 'stepscope xprof kineto' -f -- "$cur")); return ;;
	--graphs) COMPREPLY=($(compgen -W 'nodes whole' -- "$cur")); return ;;
	--kinds) COMPREPLY=($(compgen -W 'default all kernel copy memset runtime driver sync overhead nvtx memory graph external event jit' -- "$cur")); return ;;
	--color) COMPREPLY=($(compgen -W 'auto never 8 16 256 truecolor' -- "$cur")); return ;;
	--window) COMPREPLY=($(compgen -W 'all gap:biggest' -- "$cur")); return ;;
	--gap) COMPREPLY=($(compgen -W 'biggest' -- "$cur")); return ;;
	--output | -o) COMPREPLY=($(compgen -f -- "$cur")); return ;;
	--step | --filter | --sort | --top | --every-k | --for | --pid | --iterations | --steps-by | --threads) return ;;
	esac
	if [[ $cur == -* ]]; then
		case $command in
		report) COMPREPLY=($(compgen -W "--window --step --gap --format --output --filter --every-k --redact --force --ascii $views" -- "$cur")) ;;
		table) COMPREPLY=($(compgen -W "--window --step --gap --format --filter --sort --top --names --by --idle --all-columns --every-k --spreadsheet $views" -- "$cur")) ;;
		notes) COMPREPLY=($(compgen -W "--format --spreadsheet $views" -- "$cur")) ;;
		findings) COMPREPLY=($(compgen -W "--window --step --gap --format --fail-on --ascii --spreadsheet $views" -- "$cur")) ;;
		pack) COMPREPLY=($(compgen -W "--output --force $common" -- "$cur")) ;;
		watch) COMPREPLY=($(compgen -W "--redact --force --color --theme --ascii --no-mouse --spreadsheet $views" -- "$cur")) ;;
		run) COMPREPLY=($(compgen -W "--view --keep --kinds --graphs --yield --preload --redact --force --color --theme --ascii --no-mouse --spreadsheet $views" -- "$cur")) ;;
		record) COMPREPLY=($(compgen -W "--output --force --keep --kinds --graphs --preload --quiet --help --version" -- "$cur")) ;;
		attach) COMPREPLY=($(compgen -W "--output --for --keep --kinds --redact --force --color --theme --ascii --no-mouse --spreadsheet $views" -- "$cur")) ;;
		trigger) COMPREPLY=($(compgen -W "--output --force --for --iterations --pid --quiet --help --version" -- "$cur")) ;;
		doctor) COMPREPLY=($(compgen -W "--quiet --help --version" -- "$cur")) ;;
		*) COMPREPLY=($(compgen -W "--window --step --gap --redact --force --color --theme --ascii --no-mouse --spreadsheet --json $views" -- "$cur")) ;;
		esac
		return
	fi
	if [[ $command == table && $operands == 0 ]]; then
		COMPREPLY=($(compgen -W "$tables" -- "$cur"))
		return
	fi
	if [[ $command == attach ]]; then
		COMPREPLY=($(compgen -W "$(stepscope attach 2>/dev/null | awk '{ print $1 }')" -- "$cur"))
		return
	fi
	COMPREPLY=($(compgen -f -- "$cur"))
	[[ -z $command && $operands == 0 ]] && COMPREPLY+=($(compgen -W 'report table notes findings pack watch run record attach trigger doctor' -- "$cur"))
}
complete -o filenames -F _stepscope stepscope
