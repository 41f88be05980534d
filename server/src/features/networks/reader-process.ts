import { draw, type Question, read } from './reading.ts'

/** One answer for each question, in their order, until the server is gone; see reader.ts. */
process.on('message', (question: Question) => {
  const { text, data } = question
  process.send?.('language' in question ? draw(text, question.language, data) : read(text, data))
})
