/** What a visitor may write to the operator: one rule for the page and the server. */

import { messages as limits } from '../limits.ts'
import { emailsProblem, type FormProblem, isEmail, phoneProblem } from './form-rules.ts'

/** A consultation asks for advice before a project; a message is anything else. */
export const messageKinds = ['consultation', 'message'] as const
export type MessageKind = (typeof messageKinds)[number]

/** What a consultation is about. */
export const topics = ['data', 'training', 'installation', 'membership', 'research', 'other'] as const

export type MessageForm = { name: string; contact: string; text: string }

/** Every field that breaks a rule, with its message key. */
export function messageProblems(form: MessageForm): Partial<Record<keyof MessageForm, FormProblem>> {
  const { name, contact, text } = form
  return {
    ...(name.trim() === '' ? { name: 'required' as const } : {}),
    ...(contactProblem(contact) ? { contact: contactProblem(contact) ?? 'required' } : {}),
    ...(text.trim() === '' ? { text: 'required' as const } : {}),
    ...(text.length > limits.textLength ? { text: 'too_big' as const } : {}),
  }
}

/** An e-mail address, or a number with digits, spaces, dashes and a plus sign. */
function contactProblem(contact: string): FormProblem | null {
  if (contact.trim() === '') return 'required'
  if (contact.includes('@')) return emailsProblem(contact, { required: true })
  return phoneProblem({ areaCode: '0', number: contact.replaceAll(/[\s+()-]/g, '') })
}

export const canAnswerByMail = (contact: string): boolean => isEmail(contact.trim())
