import { expect, it } from 'vitest'
import { shownKeys } from '../../src/features/networks/editor/keys.ts'
import { textsOf } from '../texts.ts'

/** As they stand in the tutorial; the space bar has a name in each language. */
const names: Record<string, string> = {
  ctrl: 'Ctrl',
  shift: 'Shift',
  arrowup: '↑',
  arrowdown: '↓',
  arrowleft: '←',
  arrowright: '→',
  enter: 'Enter',
  escape: 'Esc',
  delete: 'Delete',
}

it.each(['en', 'zh', 'ru'])(
  'the tutorial names every key of the editor, in its own words, in %s',
  (language) => {
    const editor = textsOf(language, 'dripe')
    const nameOf = (key: string) => (key === ' ' ? editor['help.space'] : (names[key] ?? key.toUpperCase()))
    const keys = shownKeys.map(({ name, keys: pressed }) => [
      `\`${pressed.split('+').map(nameOf).join('+')}\``,
      editor[`keys.${name}`],
    ])
    const tutorial = textsOf(language, 'tutorial-dripe')
    const row = (index: number) =>
      [0, 1].map((column) => tutorial[`sections.keys.blocks.1.table.rows.${index}.${column}`])
    expect(keys.map((_, index) => row(index))).toEqual(keys)
    expect(row(keys.length)).toEqual([undefined, undefined])
  },
)
