/** What style sheets may not say by themselves: colours, sizes and gaps come from src/ui/tokens.ts, and windows have three breaks. */
const token = (name) => new RegExp(`^var\\(--nl-${name}\\)$`)
const gap = String.raw`(0|1px|auto|inherit|var\(--[\w-]+(, ?([^()]+|var\(--[\w-]+\)))?\)|calc\(-1 \* var\(--nl-gap-\d\)\))`
const gaps = new RegExp(`^(${gap}( |$)){1,4}$`)
const radius = String.raw`(0|50%|inherit|var\(--nl-radius(-\w+)?\))`

export default {
  ignoreFiles: ['src/ui/fonts.css'],
  rules: {
    'color-no-hex': true,
    'color-named': ['never', { ignore: ['inside-function'] }],
    'function-disallowed-list': [
      'rgb',
      'rgba',
      'hsl',
      'hsla',
      'hwb',
      'lab',
      'lch',
      'oklab',
      'oklch',
      'color',
    ],
    'media-feature-name-value-allowed-list': { width: ['540px', '860px', '1280px'] },
    'media-feature-name-disallowed-list': ['min-width', 'max-width'],
    'declaration-property-value-allowed-list': {
      'font-size': [token('(text|title|display)(-\\w+)?'), 'inherit'],
      'font-weight': ['400', 'inherit', token('(medium|strong|heavy)')],
      'font-family': [/^var\(--nl-(font|mono)\)$/, 'inherit'],
      '/^border(-[a-z]+)*-radius$/': [new RegExp(`^${radius}( ${radius}){0,3}$`)],
      '/^(padding|margin|gap|row-gap|column-gap)/': [gaps],
    },
    'declaration-property-value-disallowed-list': {
      // Falling shadows are tokens; rings and edges of one colour are drawn where they belong.
      'box-shadow': [/(^|, *)(0|\d+px) \d+px \d*[1-9]\d*px(?! *-)/],
    },
  },
}
