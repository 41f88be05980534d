/** What of a project's study only people know: asked in plain words, kept per project, told by its reports. */
import * as z from 'zod'
import { statements as limits } from './limits.ts'
import { route } from './route.ts'
import { statements } from './statement-names.ts'

export const statementSchema = z.enum(statements)
export type Statement = z.infer<typeof statementSchema>

/** By question; a question without an answer is left out. */
const statementTextsSchema = z.partialRecord(statementSchema, z.string())
export type StatementTexts = z.infer<typeof statementTextsSchema>

const id = z.string().min(1).max(40)
const answered = z.object({ statements: statementTextsSchema })

export const statementCalls = {
  'projects/statements': route({
    summary: 'What people said of the study behind a project',
    request: z.object({ id }),
    response: answered,
    errors: ['project_missing'],
  }),
  'projects/setStatement': route({
    summary: 'Answer one question about the study, or take the answer back (empty); by whoever may edit',
    request: z.object({ id, name: statementSchema, text: z.string().trim().max(limits.length) }),
    response: answered,
    errors: ['project_missing', 'not_allowed'],
  }),
}
