import { expect, it } from 'vitest'
import { shownKeys } from '../../src/features/labelling/editor/help.tsx'
import { toolFacts } from '../../src/features/labelling/tools/tools.ts'
import { textsOf } from '../texts.ts'

it.each(['en', 'zh', 'ru'])(
  'the tutorial names every tool and key of the editor, as the editor does, in %s',
  (language) => {
    const editor = textsOf(language, 'labelling')
    const tutorial = textsOf(language, 'tutorial-labelling')
    const column = (section: string, at: number): string[] =>
      Object.entries(tutorial).flatMap(([key, text]) =>
        new RegExp(`^sections\\.${section}\\.blocks\\.\\d+\\.table\\.rows\\.\\d+\\.${at}$`).test(key)
          ? [text]
          : [],
      )
    const tools = Object.entries(toolFacts).map(([name, { letter }]) => [
      editor[`tool.${name}`],
      `\`${letter.toUpperCase()}\``,
    ])
    const named = column('tools', 0).map((name, at) => [name, column('tools', 1)[at]])
    expect(named.sort()).toEqual(tools.sort())
    const keys = shownKeys.map(([name, key]) => [`\`${key}\``, editor[`keys.${name}`]])
    expect(column('keys', 0).map((key, at) => [key, column('keys', 1)[at]])).toEqual(keys)
    const said = Object.values(tutorial).join('\n')
    const others = Object.entries(editor).filter(
      ([key]) => key.startsWith('command.') || key.startsWith('tabs.'),
    )
    for (const [key, text] of others)
      if (key !== 'tabs.label' && key !== 'tabs.images')
        expect(said).toContain(text.replace(/\s*[（(]D[)）]$/, ''))
    for (const key of ['keys.mouse', 'keys.touch', 'commands', 'save.saved', 'items.goOn', 'items.useAsData'])
      expect(said).toContain(editor[key])
  },
)
