/** Makes the custom properties of `virtual:tokens.css` out of src/ui/tokens.ts, each colour in light and dark at once. */
import type { Plugin } from 'vite'
import { colours, motion, phoneSizes, shadows, sizes, type } from '../src/ui/tokens.ts'

/** By its ending Vite knows it for a style sheet. */
const file = '/@tokens.css'

export function tokens(): Plugin {
  return {
    name: 'tokens',
    resolveId: (id) => (id === 'virtual:tokens.css' ? file : null),
    load: (id) => (id === file ? tokensCss() : null),
  }
}

/** The look follows the system, or what a person chose (src/lib/look.ts); paper is always light. */
export function tokensCss(): string {
  const all = {
    ...map(colours, colour),
    ...map(shadows, (layers) => layers.map(([place, cast]) => `${place} ${colour(cast)}`).join(', ')),
    ...sizes,
    ...type,
    ...motion,
  }
  return `:root { color-scheme: light dark; ${declare(all)} }
:root[data-look="light"] { color-scheme: light; }
:root[data-look="dark"] { color-scheme: dark; }
@media print { :root:root { color-scheme: light; } }
@media (width <= 540px) { :root { ${declare(phoneSizes)} } }
`
}

const colour = (one: string | readonly [string, string]): string =>
  typeof one === 'string' ? one : `light-dark(${one[0]}, ${one[1]})`

const map = <V>(values: Record<string, V>, write: (value: V) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, write(value)]))

const declare = (values: Record<string, string>): string =>
  Object.entries(values)
    .map(([name, value]) => `--nl-${name}: ${value};`)
    .join(' ')
