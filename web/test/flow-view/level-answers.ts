/** For the engine's tests: the level and the mask that the viewer begins with, of the study in a file. */
import { readFileSync } from 'node:fs'
import { above, angiogram, firstLevel, largestPart } from '../../src/features/flow/viewer/numbers/mask.ts'
import { readMeasured } from '../../src/features/flow/viewer/numbers/measured.ts'

const [, , path = ''] = process.argv
const measured = readMeasured(readFileSync(path))
const bright = angiogram(measured)
const level = firstLevel(bright, measured.head.size[0])
const mask = largestPart(above(bright, level), measured.head.size)
console.log(JSON.stringify({ level, top: bright.top, mask: [...mask] }))
