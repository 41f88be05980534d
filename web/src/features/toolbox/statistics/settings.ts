/** What is asked, of which columns: flat texts, so that the history can keep them. */
export const analyses = [
  'accuracy',
  'compareTests',
  'roc',
  'compareRoc',
  'kappa',
  'blandAltman',
  'icc',
  'means',
  'sampleSize',
] as const
export type Analysis = (typeof analyses)[number]

/** What a column is for; `several`: two or more of them. */
export type Role = 'truth' | 'test' | 'first' | 'second' | 'score' | 'value' | 'group' | 'several'

export type Settings = {
  analysis: Analysis
  columns: Partial<Record<Role, string>>
  several: string[]
  /** Which value of a column says "ill" or "positive". */
  yes: Partial<Record<Role, string>>
  /** Tells whose row it is, to warn of patients with several. */
  patient: string | undefined
  /** `same`: both on the same patients; `groups`: different ones. */
  pairing: 'same' | 'groups'
  weights: 'none' | 'linear' | 'quadratic'
  /** Categories in their order, where they have one that numbers do not tell. */
  order: string[]
}

export const noSettings = (analysis: Analysis): Settings => ({
  ...{ analysis, columns: {}, several: [], yes: {}, patient: undefined },
  ...{ pairing: 'same', weights: 'none', order: [] },
})

export function rolesOf({ analysis, pairing }: Pick<Settings, 'analysis' | 'pairing'>): Role[] {
  switch (analysis) {
    case 'accuracy':
      return ['truth', 'test']
    case 'compareTests':
      return ['truth', 'first', 'second']
    case 'roc':
      return ['truth', 'score']
    case 'compareRoc':
      return pairing === 'same' ? ['truth', 'first', 'second'] : ['truth', 'score', 'group']
    case 'kappa':
    case 'icc':
      return ['several']
    case 'blandAltman':
      return ['first', 'second']
    case 'means':
      return pairing === 'same' ? ['first', 'second'] : ['value', 'group']
    case 'sampleSize':
      return []
  }
}

export const hasPairing = (analysis: Analysis): boolean => analysis === 'compareRoc' || analysis === 'means'

/** Roles whose column says yes or no. */
export const isYesNo = (analysis: Analysis, role: Role): boolean =>
  role === 'truth' ||
  (analysis === 'accuracy' && role === 'test') ||
  (analysis === 'compareTests' && (role === 'first' || role === 'second'))

const separator = '\n'

/** For the history: choices alone, names of columns only where the table lies in the cloud and is there anyway. */
export function inputsOf(settings: Settings, file: string | null): Record<string, string> {
  const { analysis, pairing, weights, columns, yes, several, patient, order } = settings
  const choices = { analysis, pairing, weights }
  if (file === null) return choices
  return {
    ...choices,
    file,
    columns: JSON.stringify(columns),
    yes: JSON.stringify(yes),
    several: several.join(separator),
    order: order.join(separator),
    patient: patient ?? '',
  }
}

export function settingsOf(inputs: Readonly<Record<string, string>>): Settings {
  const analysis = analyses.find((one) => one === inputs.analysis) ?? 'accuracy'
  const list = (text = ''): string[] => (text === '' ? [] : text.split(separator))
  return {
    analysis,
    columns: read(inputs.columns),
    yes: read(inputs.yes),
    several: list(inputs.several),
    order: list(inputs.order),
    patient: inputs.patient || undefined,
    pairing: inputs.pairing === 'groups' ? 'groups' : 'same',
    weights: inputs.weights === 'linear' || inputs.weights === 'quadratic' ? inputs.weights : 'none',
  }
}

function read(text = '{}'): Partial<Record<Role, string>> {
  const value: unknown = JSON.parse(text)
  return typeof value === 'object' && value !== null ? value : {}
}
