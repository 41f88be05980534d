/** What the member form lets choose from; the values that are stored. Their texts are the page's. */
export const honorifics = [
  'Prof Dr',
  'Prof',
  'Assoc Prof',
  'Asst Prof',
  'Dr',
  'Mr',
  'Ms',
  'Mdm',
  'Sir',
  'Messrs',
  'Revd',
] as const

export const occupations = ['scientist', 'engineer', 'doctor', 'nurse', 'student', 'other'] as const

export const sexes = ['male', 'female'] as const

export const educations = [
  'polytechnic',
  'junior college',
  'undergraduate',
  'postgraduate',
  'doctorate',
] as const

/** How to be reached first. */
export const contacts = ['email', 'fax', 'phone'] as const
