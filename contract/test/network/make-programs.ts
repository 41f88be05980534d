/**
 * For the engine's tests: `node --import tsx --conditions=neuroloom-source … FOLDER`: beside each `plan.json` below it `program.py`,
 * which prepares files where a `recipe.json` lies there too. `carried.json` holds the code for that.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pytorchCode } from '@neuroloom/contract/network/code/code'
import { parsePytorchTexts, programFiles } from '@neuroloom/contract/network/code/texts'
import type { Plan } from '@neuroloom/contract/network/resolve/plan'
import { carriedFiles } from '@neuroloom/contract/recipes/carried'
import { wireText } from './wire.ts'

const [, , folder = ''] = process.argv
const files = programFiles.map((file) => wireText(`program/${file}.py`))
const texts = parsePytorchTexts(JSON.parse(wireText('pytorch.json')), files)
const engine = join(import.meta.dirname, '../../../engine')
const carried = Object.fromEntries(
  carriedFiles.map((name) => [name, readFileSync(join(engine, name), 'utf8')]),
)
for (const name of readdirSync(folder)) {
  const plan: Plan = JSON.parse(readFileSync(join(folder, name, 'plan.json'), 'utf8'))
  const hasRecipe = existsSync(join(folder, name, 'recipe.json'))
  writeFileSync(
    join(folder, name, 'program.py'),
    pytorchCode(plan, { name, texts, ...(hasRecipe ? { carried } : {}) }),
  )
}
writeFileSync(join(folder, '../carried.json'), JSON.stringify(carried))
