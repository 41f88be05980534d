/** The texts of layers, blocks and networks: one file of the built pages, fetched by `loadLibrary` alone. */
import catalogue from '@neuroloom/contract/wire/catalogue.json?raw'
import std from '@neuroloom/contract/wire/std.yaml?raw'

const files = import.meta.glob<string>('../../../../contract/wire/networks/*.yaml', {
  query: '?raw',
  import: 'default',
  eager: true,
})

export const texts = {
  catalogue,
  std,
  networks: Object.fromEntries(
    Object.entries(files).map(([path, text]) => [
      path.slice(path.lastIndexOf('/') + 1, -'.yaml'.length),
      text,
    ]),
  ),
}
