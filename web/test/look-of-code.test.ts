import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const source = join(import.meta.dirname, '../src')
const texts = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => ({ name, text: readFileSync(join(source, name), 'utf8') }))
const found = (pattern: RegExp, isOwn: RegExp): string[] =>
  texts
    .filter(({ name }) => !isOwn.test(name))
    .flatMap(({ name, text }) => [...text.matchAll(pattern)].map(([one]) => `${name}: ${one}`))

/** Style sheets are held to the same by stylelint. */
test('no colour stands outside the tokens, but in what is painted', () => {
  const colour = /#(?:[\da-f]{8}|[\da-f]{6}|[\da-f]{3,4})\b|\b(?:rgb|hsl)a?\(\d[^)]*\)/gi
  expect(
    found(
      colour,
      /^(ui\/tokens\.ts|ui\/pictures\/|features\/demo\/|features\/flow\/viewer\/draw\/ink\.ts|features\/recipes\/mask-colours\.ts|features\/files\/viewer\/overlay\/difference\.ts)/,
    ),
  ).toEqual([])
})

test('code asks for the three breaks of windows alone', () => {
  const others = found(/\([^()]*width[^()]*\d+px[^()]*\)/g, /^ui\/tokens\.ts$/).filter((one) =>
    [...one.matchAll(/(\d+)px/g)].some(([, width = '']) => !['540', '860', '1280'].includes(width)),
  )
  expect(others).toEqual([])
})
