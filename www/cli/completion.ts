/** `pinpack completion`: a script that completes commands, options and their values in a shell. */

import type { Command, Option } from 'commander'
import { PinpackError } from '../errors.ts'
import { print, printJson } from './terminal.ts'

/** A command with its options, as a shell needs them. */
interface Entry {
  name: string
  about: string
  options: { flags: string[]; about: string; takesValue: boolean; choices: string[] }[]
  /** Values of its argument. */
  values: string[]
}

const SHELLS: Record<string, (entries: Entry[]) => string> = { bash, zsh, fish }

export async function completion(shell: string, { json }: { json?: boolean }, command: Command): Promise<undefined> {
  const script = SHELLS[shell]
  if (!script) throw new PinpackError('usage', `no completion for ${shell}: wanted ${Object.keys(SHELLS).join(', ')}`)
  const text = script(entriesOf(command.parent as Command))
  if (json) printJson({ shell, script: text })
  else print(text.trimEnd())
}

const entriesOf = (program: Command): Entry[] =>
  program.commands.map((command) => ({
    name: command.name(),
    about: command.description(),
    options: [
      ...command.options.map(optionOf),
      { flags: ['--help'], about: 'show what it takes', takesValue: false, choices: [] },
    ],
    values: command.name() === 'completion' ? Object.keys(SHELLS) : [],
  }))

const optionOf = ({ short, long, description, required, argChoices = [] }: Option) => ({
  flags: [short, long].filter((flag) => flag !== undefined),
  about: description,
  takesValue: required,
  choices: argChoices,
})

/** Words of a command, or values of the option before; files where an option takes another value. */
function bash(entries: Entry[]): string {
  const cases = entries.map(({ name, options, values }) => {
    const chosen = options.filter(({ choices }) => choices.length > 0)
    const other = options.filter(({ choices, takesValue }) => takesValue && choices.length === 0)
    const lines = [
      ...chosen.map(({ flags, choices }) => `        ${flags.join('|')}) words="${choices.join(' ')}" ;;`),
      ...(other.length > 0 ? [`        ${other.flatMap(({ flags }) => flags).join('|')}) words= files=1 ;;`] : []),
      `        *) words="${[...options.flatMap(({ flags }) => flags), ...values].join(' ')}" ;;`,
    ]
    return `    ${name})\n      case "$before" in\n${lines.join('\n')}\n      esac ;;`
  })
  return `# pinpack completion bash: source it, or put it where bash-completion looks
_pinpack() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" words files=
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${entries.map(({ name }) => name).join(' ')} --help --version"
  else
    case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  if [ -n "$files" ] || [ "\${#COMPREPLY[@]}" -eq 0 ]; then COMPREPLY+=($(compgen -f -- "$word")); fi
}
complete -o filenames -F _pinpack pinpack
`
}

function zsh(entries: Entry[]): string {
  const commands = entries.map(({ name, about }) => `    '${name}:${quoted(about)}'`)
  const cases = entries.map(({ name, options, values }) => {
    const specs = options.flatMap(({ flags, about, takesValue, choices }) =>
      flags.map((flag) => {
        const value = choices.length > 0 ? `:value:(${choices.join(' ')})` : takesValue ? ':value:_files' : ''
        return `      '*${flag}[${quoted(about).replace(/[[\]]/g, '\\$&')}]${value}'`
      }),
    )
    const rest = values.length > 0 ? `'1:value:(${values.join(' ')})'` : "'*:file:_files'"
    return `    ${name}) _arguments \\\n${specs.join(' \\\n')} \\\n      ${rest} ;;`
  })
  return `#compdef pinpack
# pinpack completion zsh: put it as _pinpack into a folder of $fpath
_pinpack() {
  local -a commands=(
${commands.join('\n')}
  )
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  local name=$words[2]
  shift words
  (( CURRENT-- ))
  case $name in
${cases.join('\n')}
  esac
}
compdef _pinpack pinpack
`
}

function fish(entries: Entry[]): string {
  const lines = entries.flatMap(({ name, about, options, values }) => [
    `complete -c pinpack -f -n __fish_use_subcommand -a ${name} -d '${quoted(about)}'`,
    ...options.map(({ flags, about, takesValue, choices }) => {
      const names = flags
        .map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`))
        .join(' ')
      const value = choices.length > 0 ? ` -x -a '${choices.join(' ')}'` : takesValue ? ' -r' : ''
      return `complete -c pinpack -n '__fish_seen_subcommand_from ${name}' ${names}${value} -d '${quoted(about)}'`
    }),
    ...(values.length > 0
      ? [`complete -c pinpack -f -n '__fish_seen_subcommand_from ${name}' -a '${values.join(' ')}'`]
      : []),
  ])
  return `# pinpack completion fish: put it into ~/.config/fish/completions/pinpack.fish\n${lines.join('\n')}\n`
}

/** Text within single quotes: none of the three shells reads anything in it but the quote itself. */
const quoted = (text: string) => text.replaceAll("'", '’')
