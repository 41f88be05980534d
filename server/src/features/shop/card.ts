/**
 * The model card, filled from the run record and the seller's words, as an Applied Model Card of the Coalition for Health
 * AI: XML by its schema v0.2 (mc.chai.org). What nobody stated says so; nothing is guessed.
 */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { mainMetric } from '@neuroloom/contract/metric'
import type { Caller } from '../../http/access.ts'
import { fileName } from '../../http/bytes.ts'
import type { Context } from '../../infra/context.ts'
import { newest, requireListing } from './access.ts'
import { namesOf } from './show.ts'
import type { ListingRow, VersionRow } from './tables.ts'

const NAMESPACE = 'https://mc.chai.org/v0.2/schema.xsd'
const UNSTATED = 'Not stated.'

export async function card(
  ctx: Context,
  { id }: Parsed<'shop/card'>,
  { user }: Caller,
): Promise<Answer<'shop/card'>> {
  const listing = await requireListing(ctx, user, id)
  const version = await newest(ctx.db, listing)
  const seller = (await namesOf(ctx.db, [listing.sellerId])).get(listing.sellerId) ?? ''
  return {
    name: fileName(`${listing.name}-model-card.xml`),
    xml: cardOf({ listing, version, seller }),
  }
}

type Carded = { listing: ListingRow; version: VersionRow; seller: string }
/** A name with its text, or with what is inside it, in the order of the schema. */
type Node = readonly [name: string, inside: string | readonly Node[]]

export function cardOf(carded: Carded): string {
  const { listing, version, seller } = carded
  const root: Node = [
    'AppliedModelCard',
    [
      [
        'BasicInfo',
        [
          ['ModelName', listing.name],
          ['ModelDeveloper', seller === '' ? UNSTATED : seller],
          ['DeveloperContact', 'By way of the model shop of this Neuroloom server.'],
        ],
      ],
      [
        'ReleaseInfo',
        [
          ['ReleaseStage', 'For research and education. Not a medical device.'],
          ['ReleaseDate', (version.verifiedAt ?? version.createdAt).toISOString().slice(0, 10)],
          ['ReleaseVersion', String(version.number)],
          ['GlobalAvailability', `Licence: ${listing.about.licence}. Offered in the shop of this server.`],
          ['RegulatoryApproval', 'None is claimed.'],
        ],
      ],
      [
        'ModelSummary',
        [
          ['Summary', `${listing.about.introduction}\n\n${listing.about.features}`],
          ['Keywords', keywordsOf(carded)],
        ],
      ],
      ['UsesAndDirections', usesOf(carded)],
      [
        'Warnings',
        [
          ['KnownRisksAndLimitations', listing.about.limitations],
          ['KnownBiasesOrEthicalConsiderations', biasOf(carded)],
          ['ClinicalRiskLevel', 'Not assessed: not a medical device.'],
        ],
      ],
      ['TrustIngredients', ingredientsOf(carded)],
      ['KeyMetrics', metricsOf(carded)],
      [
        'Resources',
        [
          ['PeerReviewedPublications', UNSTATED],
          ['PatientConsentOrDisclosure', listing.about.dataLicence],
        ],
      ],
      ['Bibliography', ''],
    ],
  ]
  return `<?xml version="1.0" encoding="UTF-8"?>\n${written(root, 0, ` xmlns="${NAMESPACE}"`)}\n`
}

const keywordsOf = ({ listing: { task, about } }: Carded): Node[] =>
  [task, about.organ, about.modality].map((word) => ['Keyword', word.replaceAll('_', ' ')])

const usesOf = ({ listing: { about } }: Carded): Node[] => [
  ['IntendedUseAndWorkflow', about.intendedUse],
  ['PrimaryIntendedUsers', 'As in the intended use.'],
  [
    'HowToUse',
    'In Neuroloom: Predict, or begin a training with it. Outside: safetensors and the network’s document.',
  ],
  ['TargetedPatientPopulation', about.population],
  ['CautionedOutOfScopeSettings', about.outOfScope],
]

function biasOf({ version: { learned } }: Carded): string {
  const cases = `${learned.cases} of them are independent: images of one patient, where the data name patients, count once.`
  return `It learned from ${learned.items} images or volumes. ${cases} Figures by sex, age or site were not stated.`
}

function ingredientsOf({ listing, version }: Carded): Node[] {
  const { about } = listing
  const { network, networkName, parameters, classes, learned, startFrom, recipe } = version
  const begun =
    startFrom === null
      ? 'None: trained from scratch.'
      : (startFrom.model ?? 'An earlier training of the same developer.')
  const [height, width] = learned.imageSize
  return [
    [
      'AISystemFacts',
      [
        ['OutcomesAndOutputs', outputsOf(classes)],
        ['ModelType', `${networkName ?? network}, ${parameters} learned parameters`],
        ['FoundationModels', begun],
        ['InputDataSource', `${about.modality}, ${about.organ}`.replaceAll('_', ' ')],
        ['OutputAndInputDataTypes', `Images brought to ${height} × ${width} pixels. ${outputsOf(classes)}`],
        [
          'DevelopmentDataCharacterization',
          `${about.population}\n\n${learned.items} images or volumes, ${learned.epochs} epochs, trained ${learned.trainedAt.slice(0, 10)}.${recipe === null ? '' : ' Images were prepared by a recipe, which is replayed.'}`,
        ],
        ['BiasMitigationApproaches', UNSTATED],
        ['OngoingMaintenance', 'By versions in the shop, each measured again.'],
        ['Security', 'Weights are safetensors and the network is a document: nothing to execute.'],
        ['Transparency', `SHA-256 of the weights: ${version.weightsSha256}`],
      ],
    ],
    [
      'TransparencyInformation',
      [
        ['FundingSource', UNSTATED],
        ['ThirdPartyInformation', begun],
        ['StakeholdersConsulted', UNSTATED],
      ],
    ],
  ]
}

const outputsOf = (classes: readonly string[]): string =>
  classes.length === 0 ? 'An image.' : `Classes: ${classes.join(', ')}.`

function metricsOf({ listing, version }: Carded): Node[] {
  const { tested, signature } = version
  const main = mainMetric[listing.task]
  const results = Object.entries(tested.metrics).map(
    ([label, value]): Node => [
      'MetricResult',
      [
        ['Label', label],
        ['ValueJson', JSON.stringify(value)],
      ],
    ],
  )
  const perClass = tested.perClass.map(
    ({ class: label, values }): Node => [
      'MetricResult',
      [
        ['Label', label],
        ['ValueJson', JSON.stringify(values)],
      ],
    ],
  )
  const where =
    tested.part === 'held_out'
      ? `${tested.items} images or volumes that the training kept aside.`
      : `${tested.items} images or volumes of another data set.`
  const interval = tested.interval ? ` 95 % interval ${tested.interval.low} to ${tested.interval.high}.` : ''
  const how =
    signature === null
      ? 'Measured by the developer.'
      : 'The platform ran the developer’s test again; every result was equal to the last digit, and is signed.'
  const measured = (goal: string, found: Node[], meaning: string): Node[] => [
    ['MetricGoal', goal],
    ['Results', found.length > 0 ? found : [unmeasured]],
    ['Interpretation', meaning],
    ['TestType', found.length > 0 ? 'Internal' : UNSTATED],
    ['TestingDataDescription', found.length > 0 ? where : UNSTATED],
    ['ValidationProcessAndJustification', found.length > 0 ? how : UNSTATED],
  ]
  return [
    [
      'UsefulnessUsabilityEfficacy',
      measured(`First metric: ${main}`, results, `${main} = ${tested.score}.${interval}`),
    ],
    [
      'FairnessEquity',
      measured(
        'Each class by itself',
        perClass,
        perClass.length > 0 ? 'By class, not by group of patients.' : UNSTATED,
      ),
    ],
    ['SafetyReliability', measured(UNSTATED, [], UNSTATED)],
  ]
}

const unmeasured: Node = [
  'MetricResult',
  [
    ['Label', UNSTATED],
    ['ValueJson', 'null'],
  ],
]

function written([name, inside]: Node, depth: number, attributes = ''): string {
  const pad = '  '.repeat(depth)
  if (typeof inside === 'string') return `${pad}<${name}${attributes}>${escaped(inside)}</${name}>`
  const lines = inside.map((node) => written(node, depth + 1))
  return [`${pad}<${name}${attributes}>`, ...lines, `${pad}</${name}>`].join('\n')
}

/** Signs that XML 1.0 knows no way to write are left out. */
const escaped = (text: string): string =>
  text
    .replaceAll(UNWRITABLE, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;')

const UNWRITABLE = /(?![\n\r\t])\p{Cc}|\p{Cs}|[\uFFFE\uFFFF]/gu
