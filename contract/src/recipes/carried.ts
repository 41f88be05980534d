/** The engine's own code that replays a recipe, as it goes along with programs that people take away. Pure: texts are given. */

/** Below `engine`, with all that they import; a test runs them alone. */
export const carriedFiles = [
  'neuroloom_engine/__init__.py',
  'neuroloom_engine/spec.py',
  ...['__init__', 'changes', 'deep', 'images', 'masks', 'nrrd', 'volumes'].map(
    (name) => `neuroloom_engine/data/${name}.py`,
  ),
  ...['__init__', 'surfaces'].map((name) => `neuroloom_engine/tasks/${name}.py`),
  ...[
    '__init__',
    'cleaning',
    'files',
    'frame',
    'geometry',
    'mask_steps',
    'regions',
    'replay',
    'steps',
    'tones',
  ].map((name) => `neuroloom_engine/recipe/${name}.py`),
]
/** Texts by the names of `carriedFiles`. */
export type CarriedCode = Readonly<Record<string, string>>

/** As part of a program that is one file: written to a folder that goes when the program ends. */
export const carriedLines = [
  'CARRIED_FOLDER = tempfile.TemporaryDirectory()',
  'for name, text in CARRIED_CODE.items():',
  '    place = Path(CARRIED_FOLDER.name, name)',
  '    place.parent.mkdir(parents=True, exist_ok=True)',
  '    place.write_text(text, encoding="utf-8")',
  'sys.path.insert(0, CARRIED_FOLDER.name)',
]

/** The files as they are, so that they can be read there too. */
export function carriedTexts(code: CarriedCode): string[] {
  const files = Object.entries(code).flatMap(([name, text]) => {
    // Python's raw texts take every other letter as it is.
    if (text.includes("'''") || text.endsWith('\\'))
      throw new Error(`${name} cannot stand in a text of Python`)
    return [`    "${name}": r'''${text}''',`]
  })
  return [
    "# What prepares files as those were prepared that the training learned from: the product's own code, file by file.",
    'CARRIED_CODE = {',
    ...files,
    '}',
  ]
}
