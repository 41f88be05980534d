/** What visitors of the public site send, and what an administrator does with it. */
import * as z from 'zod'
import { messageKinds, messageProblems, topics } from './accounts/message-rules.ts'
import { messages as limits } from './limits.ts'
import { route } from './route.ts'

const line = z.string().trim().max(limits.lineLength)

export const visitorMessageSchema = z.object({
  id: z.string(),
  kind: z.enum(messageKinds),
  name: z.string(),
  organ: z.string(),
  contact: z.string(),
  topic: z.union([z.enum(topics), z.literal('')]),
  text: z.string(),
  at: z.string(),
  answer: z.string(),
  answeredAt: z.string().nullable(),
})
export type VisitorMessage = z.infer<typeof visitorMessageSchema>

export const siteCalls = {
  'site/message': route({
    summary: 'A consultation or a message of a visitor',
    request: z
      .object({
        kind: z.enum(messageKinds),
        name: line,
        organ: line.default(''),
        contact: line,
        topic: z.union([z.enum(topics), z.literal('')]).default(''),
        text: z.string().trim().max(limits.textLength),
        proof: z.string().max(1000).optional(),
      })
      .superRefine((form, context) => {
        for (const [field, problem] of Object.entries(messageProblems(form))) {
          context.addIssue({ code: 'custom', path: [field], message: `form.${problem}` })
        }
      }),
    response: z.object({}),
    errors: ['drag_required', 'too_many_messages'],
  }),
  'site/messages': route({
    summary: 'What visitors sent, newest first; for administrators',
    request: z.object({
      state: z.enum(['open', 'answered', 'all']).default('open'),
      before: z.string().max(40).optional(),
    }),
    response: z.object({
      items: z.array(visitorMessageSchema),
      next: z.string().nullable(),
      openCount: z.int(),
    }),
    errors: [],
  }),
  'site/server': route({
    summary: 'What only an administrator can put right: the clock, and room on the disk',
    request: z.object({}),
    response: z.object({
      clock: z.object({
        /** The newest time that was believed. */
        newest: z.iso.datetime(),
        now: z.iso.datetime(),
        /** It jumped ahead: nothing is deleted by its age until somebody confirms. */
        isInDoubt: z.boolean(),
      }),
      disk: z.object({
        freeBytes: z.number(),
        totalBytes: z.number(),
        /** Below this, uploads and runs are refused. */
        reserveBytes: z.number(),
        /** Of all members' plans together, those aside that know no limit. */
        promisedBytes: z.number(),
      }),
    }),
    errors: [],
  }),
  'site/confirmClock': route({
    summary: 'The time is right: what is due by it may be deleted',
    request: z.object({}),
    response: z.object({}),
    errors: [],
  }),
  'site/answer': route({
    summary: 'Keep the answer to a message, and send it where the visitor left an e-mail address',
    request: z.object({
      id: z.string().max(40),
      /** Empty: dealt with without an answer. */
      answer: z.string().trim().max(limits.textLength),
    }),
    response: z.object({ isSent: z.boolean() }),
    errors: ['missing', 'message_failed'],
  }),
}
