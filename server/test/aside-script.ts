/** What tests of `infra/aside/aside.ts` have done: it answers, throws, never ends, or takes all memory. */
import { answerWorks, type Work } from '../src/infra/aside/aside.ts'

export const echo: Work<{ said: string }, string> = { name: 'echo', run: ({ said }) => said }
export const break_: Work<object, never> = {
  name: 'break',
  run() {
    throw new Error('it broke')
  },
}
export const spin: Work<object, never> = {
  name: 'spin',
  run() {
    for (;;);
  },
}
export const fill: Work<object, number> = {
  name: 'fill',
  run() {
    const kept: object[] = []
    for (;;) kept.push({ length: kept.length })
  },
}
/** The process that answered. */
export const who: Work<object, number> = { name: 'who', run: () => process.pid }

if (process.send) answerWorks([echo, break_, spin, fill, who])
