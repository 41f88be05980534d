/** Making an account and getting back into one. Field names are the specification's. */
import * as z from 'zod'
import { nickNameLength } from '../limits.ts'
import { route } from '../route.ts'
import { memberShape, signedInSchema } from './accounts.ts'
import {
  type FormProblem,
  forgetFormProblems,
  isEmail,
  phoneProblem,
  type ShortForm,
  shortFormProblems,
} from './form-rules.ts'
import { type GivenMemberForm, memberProblems, wholeForm } from './member-rules.ts'

/** What a code is for; one that was sent for one purpose does not serve the other. */
export const codePurposes = ['register', 'forget'] as const
export type CodePurpose = (typeof codePurposes)[number]

const proof = z.string().max(1000).optional()
/** Area code immediately followed by the number, with or without a plus sign. */
const fullPhone = z.string().trim().max(30)

/** Page and server say the same: each problem becomes an issue at its field, with its message key. */
const refineWith =
  <Form>(problemsOf: (form: Form) => Partial<Record<string, FormProblem>>) =>
  (form: Form, context: z.RefinementCtx) => {
    for (const [field, problem] of Object.entries(problemsOf(form))) {
      context.addIssue({ code: 'custom', path: [field], message: `form.${problem}` })
    }
  }

const email = z.string().trim().max(254)
/** What the account will be called: one of the two. */
const account = { phone: fullPhone.default(''), email: email.default('') }

export const signUpCalls = {
  'user/smscode': route({
    summary: 'Send a code by text message',
    request: z
      .object({
        gjPhone: fullPhone,
        phone: z.string().trim().max(20),
        purpose: z.enum(codePurposes).default('register'),
        proof,
      })
      .superRefine(
        refineWith(({ gjPhone, phone, purpose }) => {
          const digits = gjPhone.replace(/^\+/, '')
          if (phone === '') return { phone: 'enter_phone' }
          const areaCode = digits.endsWith(phone) ? digits.slice(0, -phone.length) : ''
          const problem = phoneProblem({ areaCode, number: phone })
          if (problem) return { phone: problem }
          return purpose === 'forget' && areaCode !== '86' ? { phone: 'phone_format' } : {}
        }),
      ),
    response: z.object({}),
    errors: [
      'drag_required',
      'drag_again',
      'code_wait',
      'code_limit',
      'message_failed',
      'registration_closed',
      'country_closed',
    ],
  }),
  'user/mailcode': route({
    summary: 'Send a code by e-mail',
    request: z
      .object({ email, purpose: z.enum(codePurposes).default('register'), proof })
      .superRefine(refineWith((form) => (isEmail(form.email) ? {} : { email: 'email_format' }))),
    response: z.object({}),
    errors: [
      'drag_required',
      'drag_again',
      'code_wait',
      'code_limit',
      'message_failed',
      'registration_closed',
    ],
  }),
  'user/register': route({
    summary: 'Make an account, by the short form (0) or with a whole profile (1), and sign in to it',
    request: z
      .object({
        type: z.coerce
          .number()
          .pipe(z.literal([0, 1]))
          .default(0),
        ...memberShape,
        ...account,
        code: z.string().trim().max(20),
        nickName: z.string().trim().max(nickNameLength),
        password: z.string().max(1000),
        agreement: z.boolean(),
        proof,
      })
      .superRefine(refineWith(registerProblems)),
    response: signedInSchema,
    errors: ['drag_required', 'code_wrong', 'account_taken', 'registration_closed', 'country_closed'],
    spread: true,
  }),
  'user/forgetpwd': route({
    summary: 'Set a new password by a code sent to the phone or by e-mail',
    request: z
      .object({ ...account, code: z.string().trim().max(20), password: z.string().max(1000), proof })
      .superRefine(refineWith(forgetFormProblems)),
    response: z.object({}),
    errors: ['drag_required', 'code_wrong', 'registration_closed'],
  }),
}

/** The member form asks for phone and e-mail both; a code proves the one that the account is called by. */
function registerProblems(
  form: { type: 0 | 1 } & ShortForm & GivenMemberForm,
): Partial<Record<string, FormProblem>> {
  if (form.type === 0) return shortFormProblems(form)
  return { ...memberProblems(wholeForm(form), 'register'), ...shortFormProblems(form) }
}
