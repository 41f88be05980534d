/** Words that listings are made of. Data only, without zod. */

/** Of which part of the body the images are. */
export const organs = [
  'brain',
  'head_neck',
  'eye',
  'tooth',
  'lung',
  'heart',
  'vessel',
  'breast',
  'liver',
  'kidney',
  'abdomen',
  'pelvis',
  'spine',
  'bone',
  'skin',
  'blood_cells',
  'tissue',
  'other',
] as const
export type Organ = (typeof organs)[number]

/** By what the images were taken. */
export const modalities = [
  'ct',
  'mr',
  'xray',
  'mammography',
  'ultrasound',
  'pet',
  'fundus',
  'oct',
  'endoscopy',
  'dermoscopy',
  'microscopy',
  'photo',
  'other',
] as const
export type Modality = (typeof modalities)[number]

/**
 * What a buyer may do, by SPDX identifiers where there is one; `single_use`: use in the own projects, without handing the
 * model or anything trained from it to others.
 */
export const licences = [
  'single_use',
  'research_only',
  'CC-BY-4.0',
  'CC-BY-NC-4.0',
  'Apache-2.0',
  'MIT',
] as const
export type Licence = (typeof licences)[number]

/** By learned parameters: below a million, below ten, and larger. */
export const sizes = { small: [0, 1e6], medium: [1e6, 1e7], large: [1e7, Number.MAX_SAFE_INTEGER] } as const
export type Size = keyof typeof sizes
export const sizeNames = ['small', 'medium', 'large'] as const satisfies readonly Size[]

/**
 * `checking`: the platform runs the seller's test again; `refused`: the score was another, or there is none any more;
 * `hidden` by its seller; `banned` by an administrator; `closed`: its seller's account is gone.
 */
export const listingStates = ['draft', 'checking', 'refused', 'listed', 'hidden', 'banned', 'closed'] as const
export type ListingState = (typeof listingStates)[number]

/** Why a check ended without a score: the texts of `refusal.<name>`. */
export const checkRefusals = ['score_differs', 'test_failed', 'weights_damaged', 'test_stopped'] as const
export type CheckRefusal = (typeof checkRefusals)[number]

/** How somebody came to a model. */
export const holdWays = ['free', 'points', 'money', 'place', 'given', 'own'] as const
export type HoldWay = (typeof holdWays)[number]

export const saleStates = ['held', 'recorded', 'returning', 'refunded'] as const
export type SaleState = (typeof saleStates)[number]

/**
 * Grounds on which a buyer's money goes back within seven days. `by_mistake` is granted at once while nothing was computed
 * with the model; `not_as_described` is decided by running the seller's test again; the others by a person.
 */
export const claimGrounds = [
  'by_mistake',
  'not_as_described',
  'does_not_work',
  'rights_of_others',
  'unsafe',
] as const
export type ClaimGround = (typeof claimGrounds)[number]
export const claimStates = ['open', 'granted', 'refused'] as const

/** The rules of the shop that are in force; each edition's text stays (`shop.rules.<edition>`). */
export const shopRules = 1
