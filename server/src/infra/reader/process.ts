/** The reading program: one task from the process that started it, one answer, the end. Reads only what it was given. */
import { calmLibrary } from './pictures.ts'
import { perform, taskSchema } from './tasks.ts'

calmLibrary()

// Whoever asked is gone, perhaps killed: nobody would take the answer.
process.once('disconnect', () => process.exit())

process.once('message', (message) => {
  perform(taskSchema.parse(message))
    .then((answer) => process.send?.({ answer }, () => process.disconnect?.()))
    .catch((error: unknown) => {
      console.error(error)
      process.exit(1)
    })
})
