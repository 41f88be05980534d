/** For the engine's tests: `node --import tsx --conditions=source … FOLDER`: beside each `plan.json` below it `program.py`. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pytorchCode } from '@neuroloom/contract/network/code/code'
import { parsePytorchTexts, programFiles } from '@neuroloom/contract/network/code/texts'
import type { Plan } from '@neuroloom/contract/network/resolve/plan'
import { wireText } from './wire.ts'

const [, , folder = ''] = process.argv
const files = programFiles.map((file) => wireText(`program/${file}.py`))
const texts = parsePytorchTexts(JSON.parse(wireText('pytorch.json')), files)
for (const name of readdirSync(folder)) {
  const plan: Plan = JSON.parse(readFileSync(join(folder, name, 'plan.json'), 'utf8'))
  writeFileSync(join(folder, name, 'program.py'), pytorchCode(plan, { name, texts }))
}
