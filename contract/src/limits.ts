/** Every quota, limit, price and timing of the product. A number of this kind anywhere else is a defect. */
const kilobyte = 1024
const megabyte = 1024 * kilobyte
const gigabyte = 1024 * megabyte
const terabyte = 1024 * gigabyte
const second = 1000
const minute = 60 * second
const hour = 60 * minute
export const dayMs = 24 * hour

/** Quotas of one membership level (design.md 4.2–4.3). `null` = without limit. */
export type PlanLimits = {
  sharedDatasets: number | null
  sharedModels: number | null
  trainedModels: number | null
  storageBytes: number | null
  recycleDays: number
  projects: number | null
  topFolders: number | null
  dataGroups: number | null
  chatGroups: number | null
  /** Accounts that one thing may be shared with. */
  shareAccounts: number | null
}

/** Of the levels 1 to 4: ordinary, bronze, silver and gold members. */
export type PlanTable = readonly [PlanLimits, PlanLimits, PlanLimits, PlanLimits]

/** What holds unless the operator of a server says otherwise there (`LIMITS_FILE`). */
export const planTable: PlanTable = [
  {
    sharedDatasets: 0,
    sharedModels: 0,
    trainedModels: 1,
    storageBytes: 1 * gigabyte,
    recycleDays: 7,
    projects: 3,
    topFolders: 3,
    dataGroups: 1,
    chatGroups: 3,
    shareAccounts: 3,
  },
  {
    sharedDatasets: 2,
    sharedModels: 2,
    trainedModels: 3,
    storageBytes: 500 * gigabyte,
    recycleDays: 14,
    projects: 6,
    topFolders: 6,
    dataGroups: 5,
    chatGroups: 6,
    shareAccounts: 10,
  },
  {
    sharedDatasets: 4,
    sharedModels: 4,
    trainedModels: 6,
    storageBytes: 1 * terabyte,
    recycleDays: 30,
    projects: 12,
    topFolders: 12,
    dataGroups: 10,
    chatGroups: 12,
    shareAccounts: 20,
  },
  {
    sharedDatasets: 8,
    sharedModels: 8,
    trainedModels: 9,
    storageBytes: 2 * terabyte,
    recycleDays: 90,
    projects: 24,
    topFolders: 24,
    dataGroups: 20,
    chatGroups: 24,
    shareAccounts: 50,
  },
]

const unlimited: Omit<PlanLimits, 'recycleDays'> = {
  sharedDatasets: null,
  sharedModels: null,
  trainedModels: null,
  storageBytes: null,
  projects: null,
  topFolders: null,
  dataGroups: null,
  chatGroups: null,
  shareAccounts: null,
}

/** Visitors give nothing to others. */
const unshared = {
  sharedDatasets: 0,
  sharedModels: 0,
  dataGroups: 0,
  chatGroups: 0,
  shareAccounts: 0,
} as const

/** From ordinary members on, things can be given to others. */
export const canShare = ({ vipLevel, vipSuper }: { vipLevel: number; vipSuper: number }): boolean =>
  vipSuper !== 0 || vipLevel > 0

/**
 * Quotas of a member; a visitor (0) has those of level 1 but shares nothing; super members and private deployments have
 * none, and keep what they remove as long as gold members.
 */
export const planLimits = (
  { vipLevel, vipSuper }: { vipLevel: number; vipSuper: number },
  table = planTable,
): PlanLimits => {
  if (vipSuper !== 0) return { ...table[3], ...unlimited }
  const limits = table[Math.max(vipLevel, 1) - 1] ?? table[3]
  return canShare({ vipLevel, vipSuper }) ? limits : { ...limits, ...unshared }
}

/** Only gold and super members may change hyperparameters (specification, section 6). */
export const canTune = ({ vipLevel, vipSuper }: { vipLevel: number; vipSuper: number }): boolean =>
  vipSuper !== 0 || vipLevel >= 4

/** Money, plans and sales (design.md 4.17–4.22). Amounts in fen, 1/100 yuan. */
export const membership = {
  /** Far below the largest whole number of JavaScript: sums over all members stay exact. */
  mostFen: 100_000_000_000,
  /** Of a model's sale, to the platform. */
  feePercent: 3,
  /** Days before the end of a level on which its member is told. */
  reminderDays: [14, 7, 1, 0],
  /** That it ended is news for so long. */
  endedNewsMs: 7 * dayMs,
  mostYears: 10,
  noteLength: 300,
  /** How long an order and its QR code live; a bank transfer takes its days. */
  orderMs: 30 * minute,
  transferMs: 14 * dayMs,
  /** Orders that one member may make in a while, paid or not. */
  orders: 20,
  ordersMs: hour,
  /** How often a page asks whether an order is paid (specification, section 9). */
  pollMs: 5 * second,
  page: 20,
  invoiceLength: 200,
  reasonLength: 500,
  referenceLength: 64,
  /** Of a wallet: each field of an account that money is paid out to. */
  payeeLength: 100,
  /** Withdrawals of one member that may be under review at one time. */
  withdrawalsAtOnce: 20,
  /** Days of one statement, and its lines: on paper, and in a spreadsheet. */
  statementDays: 366,
  statementLines: { pdf: 2000, csv: 100_000 },
  /** Providers: how long they may take to answer, how old a callback may be, and its size. */
  providerMs: 8 * second,
  callbackMs: 10 * minute,
  callbackBytes: 64 * kilobyte,
  /** How soon a provider is asked again: for a page that waits, and in the round of every minute. */
  askAgainMs: 8 * second,
  roundMs: 50 * second,
  /** Orders and refunds of one such round. */
  roundSize: 200,
  /** Orders that still wait for so long after their end are asked for no more. */
  askedMs: 7 * dayMs,
  /** Forgeries of one address are written down once in this time; so many addresses are remembered for it. */
  forgedMs: minute,
  forgedAddresses: 10_000,
} as const

/** Code that members upload. */
export const code = {
  zipBytes: 20 * megabyte,
  entries: 2000,
  unpackedBytes: 200 * megabyte,
  /** An entry that unpacks to more than this times its size is a bomb. */
  ratio: 200,
  nameLength: 200,
  pathLength: 400,
  /** Of one file, shown as text. */
  shownBytes: 300_000,
  /** Uploads that one member keeps. */
  uploads: 20,
  /** Runs of one upload that are shown. */
  runs: 20,
  page: 20,
} as const

/** What a run of somebody's code may take. */
export const sandbox = {
  timeMs: 60 * second,
  /** Between the signal that ends a run and the one that nothing survives. */
  graceMs: 2 * second,
  /** Address space of one process, and memory of all together. */
  memoryBytes: 4 * gigabyte,
  totalMemoryBytes: 2 * gigabyte,
  /** Threads count, too. */
  processes: 64,
  openFiles: 256,
  /** Of a file, and of each of the folders that can be written to. */
  outputBytes: 64 * megabyte,
  printedBytes: 64 * kilobyte,
  /** Files of the output folder that are listed, with their names. */
  listed: 200,
  listingBytes: 128 * kilobyte,
  pathLength: 400,
  /** A run that a worker has said nothing of for so long after its time is lost. */
  lostMs: 5 * minute,
} as const

/** Custom tasks and parameter tuning. */
export const custom = {
  /** Levels that see the page, and that may ask for a task. */
  useLevel: 2,
  orderLevel: 4,
  /** Working hours from the approval (specification, section 9). */
  workingHours: 72,
  titleLength: 120,
  descriptionLength: 5000,
  noteLength: 500,
  /** Requests of one member that are neither completed nor rejected. */
  open: 10,
  /** Changes of one task that are kept and shown. */
  steps: 300,
  page: 20,
} as const

/** The social centre: chats, groups, posts. Chat groups that a member may own stand in the plan table. */
export const social = {
  messageLength: 5000,
  mentions: 50,
  /** Of one message or post, and how many of them may be images. */
  attachments: 10,
  /** Things that are offered to be sent as a card. */
  ownCards: 50,
  images: 5,
  imageBytes: 5 * megabyte,
  /** In pixels, of the longer side: what is kept of an image, and what a list shows of it. */
  imageSide: 2560,
  imagePreviewSide: 640,
  /** From the start of the program that reads it, and how many may wait for it. */
  imageMs: 20 * second,
  imagesWaiting: 20,
  /** What was not sent by then is deleted. */
  imageWaitMs: dayMs,
  /** Images that one member may send in a day. */
  imagesADay: 300,
  newImagesADay: 30,
  imageLinkMs: hour,
  /** Attachments that a page asks for at a time. */
  opened: 200,
  /** Messages of one page of a conversation, of its list, and of a search. */
  page: 50,
  chats: 200,
  found: 30,
  /** Unread messages of a chat are counted so far: pages say "99+". */
  unread: 100,
  /** In a busy group, members who do not watch its chat are told of news no more often than this. */
  groupNewsMs: 3 * second,
  /** How often a page asks what is unread, besides the news that it is told. */
  unreadPollMs: minute,
  groupNumberDigits: 9,
  withdrawMs: 2 * minute,
  groupNameLength: 60,
  groupPasswordLength: 64,
  introductionLength: 1000,
  noticeLength: 1000,
  groupMembers: 500,
  friends: 2000,
  applicationLength: 200,
  /** Friend requests that are listed, and topics. */
  applicationList: 200,
  topicList: 30,
  /** After so long a member may be asked again; until then a request reads as sent, also where it was refused. */
  reapplyMs: dayMs,
  /** Whoever was active so recently counts as online. */
  onlineMs: 2 * minute,
  postLength: 5000,
  replyLength: 2000,
  topicLength: 50,
  topics: 10,
  posts: 20,
  replies: 2000,
  reportLength: 1000,
  topicDays: 30,
  /** Reports that one member may send in a day. */
  reports: 20,
  reportsMs: dayMs,
  /** Searches for members and groups: those that find nobody count. */
  tries: 30,
  triesMs: 15 * minute,
  /** Sent by one member within a minute; accounts younger than `newMs` may send fewer. */
  rateMs: minute,
  messages: 60,
  posted: 10,
  applications: 20,
  imagesSent: 40,
  newMs: dayMs,
  newMessages: 15,
  newPosted: 3,
  newApplications: 5,
  newImagesSent: 10,
} as const

/** Case rounds: studies shown live to the members of a chat. */
export const rounds = {
  titleLength: 100,
  markNameLength: 200,
  /** Open ones of one member. */
  open: 5,
  list: 50,
  /** A page says so often that its member still looks on; silent for `awayMs`, they are gone, and so is their lead. */
  presentMs: 20 * second,
  awayMs: minute,
  /** The leader's page tells no more often. */
  stateMs: 120,
  /** Numbers of states may run ahead by so many. */
  ahead: 1000,
} as const

/** Second opinions: one question about studies, to members of a chat. */
export const opinions = {
  questionLength: 300,
  answers: 6,
  answerLength: 60,
  titleLength: 100,
  noteLength: 300,
  studies: 50,
  readers: 10,
  /** Open ones of one member. */
  open: 10,
  leastMs: 10 * minute,
  mostMs: 90 * dayMs,
  /** Kappa of fewer studies says nothing: its interval spans nearly everything. */
  leastStudies: 10,
} as const

/** The model shop (design.md 4.17–4.22). */
export const shop = {
  nameLength: 80,
  introductionLength: 300,
  lineLength: 200,
  textLength: 3000,
  reviewLength: 1000,
  claimLength: 1000,
  /** Whole yuan, as many points. */
  mostYuan: 1_000_000,
  listings: 100,
  versions: 100,
  page: 24,
  reviewsPage: 10,
  /** A purchase may be given back, and its money is held, for so long. */
  refundMs: 7 * dayMs,
  /** A free place may be given to another model after so long. */
  placeMs: 30 * dayMs,
  /** Free places by level, visitors first; gold has three. */
  freePlaces: [0, 0, 1, 1, 3],
  /** Tests of one model on own images, in a day. */
  drives: 5,
  drivesMs: dayMs,
  /** Sales that one round records. */
  recordsAtOnce: 500,
  /** Who may put models into the shop: bronze, whose level shares models. */
  sellerLevel: 2,
  buyerLevel: 1,
} as const

/** Orders of work: demands, offers, deliveries. */
export const market = {
  titleLength: 120,
  textLength: 5000,
  /** What is said with an offer, a delivery, a return, a dispute or its decision. */
  wordsLength: 3000,
  ratingLength: 1000,
  /** Of a provider's page: services, regions and languages, and their signs; figures of a case likewise. */
  lines: 20,
  lineLength: 60,
  figures: 20,
  pictures: 10,
  cases: 100,
  ratingsPage: 10,
  /** Of a price or a budget: one yuan to a million yuan. */
  leastFen: 100,
  mostFen: 100_000_000,
  mostDays: 365,
  milestones: 10,
  milestoneLength: 80,
  /** Files of one demand or one delivery. */
  files: 20,
  page: 20,
  /** Demands of one member, and offers of one provider, that are open at one time. */
  openDemands: 50,
  openOffers: 200,
  deliveries: 50,
  /** Folders of data of one demand. */
  folders: 20,
  /** A delivery that nobody answered: its customer is reminded after so long, and again after as long. */
  reminderMs: 7 * dayMs,
  remindersAtOnce: 200,
  /** Posting and ordering ask for an ordinary member, as buying in the shop does. */
  posterLevel: 1,
} as const

/** Reports as PDF: set by a process each. */
export const reports = {
  atOnce: 2,
  setMs: 60 * second,
  /** Pictures on paper, in pixels of their longer side; larger files than this many pixels are not opened. */
  pictureSide: 900,
  picturePixels: 100_000_000,
} as const

/** Reports can be downloaded by bronze members and up, without watermark by gold and super members alone. */
export const canDownloadReport = ({ vipLevel, vipSuper }: { vipLevel: number; vipSuper: number }): boolean =>
  vipSuper !== 0 || vipLevel >= 2
export const hasPlainReport = ({ vipLevel, vipSuper }: { vipLevel: number; vipSuper: number }): boolean =>
  vipSuper !== 0 || vipLevel >= 4

/** The structure picture is for silver members and up (specification, section 6). */
export const canDownloadPicture = ({ vipLevel, vipSuper }: { vipLevel: number; vipSuper: number }): boolean =>
  vipSuper !== 0 || vipLevel >= 3

export const session = {
  tokenLength: 20,
  idleMs: 2 * hour,
  absoluteMs: 24 * hour,
  /** How long a replaced token still answers 10500. */
  tombstoneMs: 24 * hour,
  ticketMs: 30 * second,
} as const

export const challenge = {
  /** Largest number that a drag's puzzle may hide: about 0.1–0.3 s of hashing in a browser; under attack it grows. */
  maxNumber: 2 ** 15,
  /** At a share link, whose password may be short: about a second in a browser. */
  maxNumberAtLink: 2 ** 18,
  validMs: 3 * minute,
  sliderWidth: 520,
  sliderHeight: 40,
  /** Sign-ins without the slider's proof in 15 minutes: of one account from one place, and from one place in all. */
  unprovenTries: 5,
  unprovenPerPlace: 50,
  unprovenWindowMs: 15 * minute,
} as const

/**
 * Wrong passwords in an hour. Up to `free` they cost the slider alone; beyond, each doubling of them doubles the puzzle
 * and the time between two tries of one account from one place. A right password is never refused for others' wrong ones.
 */
export const passwordTries = {
  windowMs: hour,
  /** `here`: of one account from one place; `place` is larger, because a hospital's computers share one address. */
  free: { here: 10, account: 30, place: 300 },
  /** Puzzles of up to 2 ** 22: some seconds in a browser. */
  puzzleSteps: 7,
  /** Doubles four times: 1, 2, 4, 8, 16 s. */
  gapMs: second,
  gapSteps: 5,
  /** Nobody waits longer for a turn: calls end after 30 s. */
  patienceMs: 20 * second,
  waiting: 50,
  /** Of somebody who is signed in and has to type the password again. */
  again: 30,
} as const

/** Codes of an authenticator app (RFC 6238: SHA-1, six digits) and recovery codes. */
export const secondFactor = {
  digits: 6,
  periodSeconds: 30,
  /** Steps before and after the present one whose codes count as well: clocks of phones differ. */
  window: 1,
  secretBytes: 20,
  /** After this, or in a browser that is not known, the code is asked for again. */
  againMs: 12 * hour,
  /** Between password and code. */
  ticketMs: 5 * minute,
  ticketTries: 5,
  /** From the QR code to the first code. */
  setUpMs: 15 * minute,
  /**
   * Wrong codes in an hour, of one account: from a known browser alone, and from all other places together. Only who has the
   * password can use them up, and never those of the owner's own browser.
   */
  tries: { device: 10, account: 10 },
  /** From one address, of all accounts: a hospital's computers share one. */
  triesPerPlace: 100,
  triesMs: hour,
  recoveryCodes: 10,
} as const

/** Accounts from a table. Passwords are drawn and hashed one after the other, which takes a while. */
export const memberImport = {
  bytes: 256 * kilobyte,
  rows: 300,
  columns: 50,
  cellLength: 300,
  /** Of an institution or a department. */
  textLength: 200,
  /** For the passwords of one file; within the time that any call may take. */
  hashMs: 20 * second,
} as const

/** A browser is known again for half a year after its last sign-in. */
export const knownDevice = { keepMs: 180 * 24 * hour } as const

/** Against floods alone: calls an address may make, uploads aside. A hospital's computers share one address. */
export const requests = {
  perMinute: 12_000,
  /** Reading a body of 3 MB takes as long as answering a hundred calls: those above this size are counted apart. */
  largeBytes: 512 * 1024,
  largePerMinute: 30,
  /** Calls that anyone may make without an account take no larger body; up to here a body is checked in one go. */
  smallBytes: 16 * kilobyte,
  /** Fields of a body that a call does not know. */
  unknownFields: 100,
  /** Wrong fields that a refusal names. */
  issues: 100,
  /** Bodies above `wrongBytes` that a call refuses as wrong, of one member or, without an account, of one address. */
  wrongPerMinute: 30,
  wrongBytes: 4 * kilobyte,
  /** A client that sends nothing for so long is gone, or means no good. */
  slowMs: 30_000,
} as const

/** Live events are for pages that were away for a while; what must last longer lies in its own table. */
export const live = { keepMs: 30 * 24 * hour } as const

export const nickNameLength = 50

/** Codes by text message. A number gets one a minute; the tries end a guess, the daily fuse ends a costly flood. */
export const codes = {
  digits: 6,
  validMs: 5 * minute,
  tries: 5,
  resendMs: 60 * second,
  perPhone: 5,
  perPhoneMs: 24 * hour,
  /** A hospital's computers share one address. Beyond `freePerAddress`, each doubling doubles the slider's puzzle. */
  perAddress: 100,
  freePerAddress: 10,
  /** Without the slider's proof. */
  perAddressUnproven: 3,
  perAddressMs: hour,
  perDay: 2000,
  keepMs: 24 * hour,
} as const

/** What visitors write. */
export const messages = {
  lineLength: 200,
  /** With the other fields it fits `requests.smallBytes`, in any script. */
  textLength: 4000,
  perAddress: 10,
  perAddressMs: hour,
  pageSize: 30,
} as const

/** Members on one page of the back-office. */
export const members = { pageSize: 20 } as const

/** The back-office's view of the whole server. */
export const operations = {
  pageSize: 20,
  mostPages: 500,
  /** Days in the plots. */
  days: 30,
  /** A worker that has not reported for so long counts as gone. */
  goneMs: 3 * minute,
  /** Readings of the machine: one a minute, of one hour. */
  sampleMs: minute,
  samples: 60,
  /** Failures of each kind that the overview names. */
  failures: 5,
} as const

/** Backups that the server makes by itself; failed ones stay in the list among as many. */
export const backups = {
  mostKept: 100,
  mostListed: 200,
  /** So often is one begun, and asked for by the plan on one day, before it is left failed. */
  mostTries: 3,
  mostFailedKept: 20,
} as const

/** What administrators show to everybody who is signed in. */
export const announcements = { textLength: 500, most: 50, longestMs: 366 * 24 * 60 * minute } as const

/** Public folders and projects in the back-office. */
export const published = { pageSize: 20, reasonLength: 500 } as const

/** A link that signs in: as short as a click takes. */
export const loginKey = { validMs: minute } as const
/** Other systems that may ask for such links for their members. */
export const partners = { most: 100, nameLength: 100, pageSize: 20, keysPerMinute: 60 } as const

/** A closing window's session ends after this, unless a tab speaks up: time for a reload. */
export const closingMs = 10 * second
/** The server's question on live connections of a session of which a window has closed; `user/stay` is the answer. */
export const askWhoStays = 'staying'

/** Room on the server's disk that uploads and runs leave alone. */
export const room = {
  /** The larger of both, unless the operator says otherwise. */
  reserveBytes: 2 * gigabyte,
  reserveShare: 0.02,
  /** The disk is asked again after this. */
  knownMs: 2 * second,
} as const

/** What is deleted for good by its age: a clock that is further ahead than this waits for an administrator. */
export const due = { jumpMs: dayMs } as const

export const signIns = { shown: 50, keepMs: 90 * 24 * hour } as const

/** What concerns the server is told to administrators again after `againMs`. */
export const notices = { shown: 50, keepMs: 180 * 24 * hour, againMs: 30 * 24 * hour } as const

/** Runs that end sooner after their start are told in the message box alone. */
export const runMail = { afterMs: 5 * minute } as const

export const password = { minLength: 8, maxLength: 128 } as const

export const files = {
  /** Loose files in one go; a folder counts as one thing. */
  looseFiles: 200,
  /** Entries that one call moves, copies, removes … */
  idsPerCall: 1000,
  /** Files below one uploaded folder, and the folders that one upload makes. */
  filesPerFolderUpload: 20_000,
  foldersPerUpload: 20_000,
  /** Files that one member announced and that have not arrived: three of the largest folders. */
  openUploads: 60_000,
  fileBytes: 50 * gigabyte,
  nameLength: 200,
  depth: 32,
  chunkBytes: 8 * megabyte,
  parallelUploads: 4,
  /** Waiting times before a file is tried again; the last one repeats while the line is cut. */
  retryMs: [1 * second, 2 * second, 4 * second, 8 * second, 15 * second, 30 * second],
  /** An upload that nobody continues is dropped after a day and its space returned. */
  uploadIdleMs: 24 * hour,
  pageSize: 100,
  thumbnailPixels: 256,
  /** A page asks this often, this many times, for thumbnails that are still being made. */
  thumbnailPollMs: 3 * second,
  thumbnailPolls: 40,
  linkMs: 60 * second,
  thumbnailLinkMs: 30 * minute,
  /** Bytes without a row are swept after ten minutes. */
  orphanMs: 10 * minute,
  recordPage: 50,
  recordsKeptMs: 2 * 365 * 24 * hour,
  /** Rows of an exported table of records. */
  recordsExported: 100_000,
} as const

export const images = {
  /** 64 megapixels: beyond any radiograph, far below what would exhaust memory. */
  maxPixels: 64_000_000,
  /** A file that is not read after a minute hangs its reader: 64 megapixels take seconds. */
  readMs: minute,
} as const

export const names = { length: 100, description: 2000 } as const

/** Letters of one answer to a question about the study. */
export const statements = { length: 2000 } as const

export const projects = {
  pageSize: 60,
  recycledShown: 1000,
  /** Images on a project's card. */
  coverImages: 4,
  /** Of a training's curve in the list of runs. */
  coursePoints: 24,
} as const

export const datasets = {
  minLabels: 2,
  problemsPage: 100,
  samples: 24,
  itemsPage: 60,
  progressMs: second,
  /** Of the longer side of a DICOM picture that shows what a window does. */
  previewPixels: 512,
  /** Readings that a page's look may stand behind. */
  previewWaiting: 2,
  /** Tables of labels and lists of all boxes (COCO): hundreds of thousands of lines. */
  tableBytes: 32 * megabyte,
  /** Lists of the images of a part. */
  listBytes: 8 * megabyte,
  /** What says the boxes of one image. */
  textBytes: megabyte,
  /** Texts that are read at once. */
  textsAtOnce: 8,
  /** Tables and lists that are looked into. */
  tables: 20,
  /** Rows of a table; images or boxes of a list. */
  tableRows: 500_000,
  /** What is set aside beyond this is counted, not named. */
  problemsKept: 20_000,
  /** Columns about persons that a report sums up, and those that are offered for it. */
  personColumns: 8,
  personOptions: 12,
  /** Named that tell of persons who are not here. */
  personTables: 3,
  tableColumns: 1100,
  classes: 1000,
  /** Boxes of one image. */
  boxes: 10_000,
  /** Fewer patients than this could not be split into training, choosing and testing. */
  minPatients: 3,
  /** A picture so many times larger than its small copy. */
  factors: { min: 2, max: 8 },
  /** Near-duplicates; the distance was chosen by measurement (engine/README.md). */
  doubles: {
    /** Bits of 256 in which the hashes of two pictures may differ. */
    distance: 36,
    /** A group that is never split may hold this share of the items, or the few, but never more than the most. */
    share: 0.1,
    few: 8,
    most: 1 / 3,
    /** Pairs beyond this are counted, not shown. */
    kept: 20_000,
    page: 30,
  },
} as const

export const training = {
  /** Fewer items than this for a class need the member's word ('force training'). */
  fewPerClass: 20,
  minItems: 10,
  /** Of restoration, where each image gives many crops to learn from. */
  minPairs: 4,
  minPerClass: 3,
  /** Independent cases: one each to learn from, to choose with and to be tested. */
  minCases: 3,
  /** With fewer kept aside, testing on all of the data in turn is recommended. */
  fewAside: 30,
  fewAsideCases: 10,
  crossSplits: 5,
  previewItems: 6,
  /** Checks of which the sample images are kept, spread over the epochs. */
  previewEpochs: 24,
  checkpointMs: 30 * second,
  maxAttempts: 3,
  resultsPage: 24,
  /** Of segmentation and detection: an overlap below this counts among the wrong results. */
  poorScore: 0.5,
  /** Of several labels: this likely or more means that it is there. */
  sureFrom: 0.5,
} as const

/** Tests beside each other, and tests by patient. */
export const comparison = {
  tests: { min: 2, max: 4 },
  /** Draws of whole groups, as the engine does for a single test (engine: `tasks/evidence.py`). */
  resamples: 2000,
  /** Of the draws, so that the same tests give the same range each time (engine: the same). */
  seed: 7,
  fewestGroups: 10,
  /** Found boxes of an image that a test keeps, the surest (engine: `MOST_SHOWN`); COCO counts as many. */
  boxes: 100,
  /** Numbers added up for one comparison: beyond this fewer resamples are drawn, but never fewer than the least. */
  work: 400_000_000,
  leastResamples: 500,
  disagreements: 12,
  groupsPage: 50,
} as const

/** Applying a network to images without labels. */
export const predictions = {
  /** Files of one run. */
  files: 10_000,
  setAsidePage: 100,
} as const

export const queue = {
  leaseMs: 15 * second,
  heartbeatMs: 5 * second,
  /** A stop that the engine does not answer: terminate, then kill. */
  stopMs: 30 * second,
  killMs: 10 * second,
  /** Tests and predictions that take less go before longer runs: so many of one member while the same long run waits. */
  shortSeconds: 60,
  shortAhead: 5,
  /** A training under way makes way for them when it has computed so long since it last began. */
  makesWayAfterMs: 60 * second,
} as const

export const toast = {
  durationMs: 2000,
  offset: 200,
  /** A toast with a button (undo) must leave time to reach it. */
  actionMs: 7 * second,
} as const

export const client = {
  timeoutMs: 259_200_000,
  downloadTimeoutMs: 3_000_000,
  clockMs: 1 * second,
  /** Where live events cannot tell, such as places in a queue, pages ask again this often. */
  pollMs: 5 * second,
  /** Live events make a page fetch anew at most this often. */
  liveRefreshMs: 500,
  /** A refused live connection asks again after this. */
  liveRetryMs: 3 * second,
  /** Topics asked for on one live connection before it starts afresh (the server takes 50). */
  liveTopics: 30,
  /** A live connection that nobody listens to closes after this. */
  liveIdleMs: 10 * second,
  /** Larger downloads do not pass through the page's memory. */
  downloadInMemoryBytes: 32 * megabyte,
} as const

/** Studies of flow, as scanners write them: many small files, or few large ones. */
export const flowReading = {
  /** Planes at one time each, all series together. */
  images: 50_000,
  headsAtOnce: 8,
  /** Before the pixels; enhanced files tell of each frame there. */
  headBytes: 256 * megabyte,
  /** What a study's file may take. */
  studyBytes: 2 * gigabyte,
  /** Rows that are shown of the table of recognition. */
  series: 200,
} as const

/** Showing images: read by a program of their own, whose work is bounded by what it really does. */
export const viewing = {
  /** Smaller files are read while the page waits; others by a job, which tells the page. */
  inCallBytes: 8 * megabyte,
  inCallMs: 10 * second,
  /** Calls that wait for their turn; further ones become jobs. */
  inCallWaiting: 2,
  readMs: 10 * minute,
  /** Memory of the reading program. */
  readBytes: 3 * gigabyte,
  /** What an image may unpack to. */
  pixelBytes: gigabyte,
  fileBytes: 4 * gigabyte,
  /** Programs that read at once, of one process of ours. */
  atOnce: 2,
  waiting: 20,
  /** Files of one folder that are looked through for the rest of a series. */
  seriesFiles: 5000,
  /** As many unknown slices are looked at while the page waits. */
  seriesInCall: 200,
  /** Of a series that is shown whole unasked: about a thousand slices of 512 × 512, which most graphics cards still hold. */
  seriesAtOnceBytes: 512 * megabyte,
  /** Larger archives are not looked into: they may name a patient. */
  namesBytes: gigabyte,
  /** Larger files keep the sign of their kind. */
  thumbnailFileBytes: 512 * megabyte,
  /** Of as many images as one program looks at in a row. */
  thumbnailMs: minute,
  thumbnailsAtOnce: 40,
  thumbnailsBytes: 64 * megabyte,
  tags: 600,
  tagLength: 400,
  /** Files offered to be laid over an image, of its own folder and of those near it. */
  overlaysBeside: 200,
  overlaysNear: 40,
  /** Levels of folders above an image, and then below, in which files of labels are looked for. */
  labelsAbove: 2,
  labelsBelow: 3,
  /** Of a file of labels, which is read while the page waits. */
  labelsBytes: 32 * megabyte,
  /** Marks that are shown of one image; further ones are counted. */
  marks: 20_000,
  /** Of a table that may name the values of a mask. */
  valueTableBytes: megabyte,
  linkMs: 10 * minute,
  /** What was made ready is made anew when nobody looked at it for so long. */
  keepMs: 30 * 24 * hour,
} as const

/** What is shown of a workbook (`.xlsx`), which may hold a million rows or claim them. */
export const workbooks = {
  sheets: 100,
  rows: 500,
  columns: 200,
  cellLength: 2000,
  /** Of all sheets together. */
  cells: 200_000,
  textLength: 8_000_000,
  /** What its sheets unpack to, as far as they are read for it, and its texts likewise; some 3 s of reading each. */
  unpackedBytes: 24 * megabyte,
  parts: 5000,
} as const

/** The same, where pictures are to be learned from by it: read as a whole or not at all. */
export const labelWorkbooks = {
  ...workbooks,
  rows: 100_000,
  cells: 1_000_000,
  textLength: 32_000_000,
  unpackedBytes: 64 * megabyte,
  readMs: 2 * minute,
} as const

/** Labelling images. */
export const labelling = {
  classes: 200,
  classNameLength: 60,
  skeletonPoints: 60,
  /** Pixels along an axis of a plane. */
  side: 32_768,
  /** Larger pictures are drawn in tiles. */
  wholeSide: 4096,
  wholePixels: 16_000_000,
  tileSide: 512,
  /** Addresses of an image last as long as somebody labels it; the right to it is looked at each time. */
  linkMs: 12 * hour,
  /** Of a volume, pages of a stack, frames of a video. */
  slices: 100_000,
  /** Pixels, voxels of one map: 2 bytes each where all are marked. */
  voxels: 600_000_000,
  segments: 65_535,
  rings: 1000,
  thingPoints: 50_000,
  /** Boxes, outlines, lines and points of one reader on one image. */
  things: 100_000,
  attributes: 20,
  /** A stroke's pixels as they travel, in base64; a page parts larger ones. */
  patchLength: 4 * megabyte,
  /** Of one call. */
  steps: 200,
  saveBytes: 12 * megabyte,
  /** After a stroke a page waits so long for further ones before it sends them. */
  saveMs: 300,
  /** A long stroke is put down in pieces, so that no more than this is ever only on the screen. */
  pieceMs: 500,
  /** A reading is kept as a whole again after so many steps, or so many bytes of them. */
  foldSteps: 200,
  foldBytes: 2 * megabyte,
  /** And so many times as many bytes as these were packed into the last whole, so that large ones are not written all the time. */
  foldShare: 4,
  /** Of steps in one answer, and of those that no whole has yet. */
  unfoldedBytes: 64 * megabyte,
  stepsBytes: 8 * megabyte,
  /** Marks of a reading as a whole, as they travel. */
  wholeBytes: 64 * megabyte,
  items: 20_000,
  itemsPage: 60,
  readers: 50,
  /** Lines of a reading's history. */
  minutes: 5000,
  /** Bounds of a body within which distances of two readers' surfaces are measured. */
  distanceVoxels: 64_000_000,
  /** Readings of which one is made. */
  adjudicated: 9,
  /** Of one image. */
  comments: 500,
  commentLength: 2000,
  sets: 1000,
  /** Images of one call that a network proposes on. */
  proposeItems: 64,
  /** Objects proposed on one image, the largest first, and corners of all of them. */
  proposalObjects: 500,
  proposalPoints: 200_000,
  /** Labelled images after which a network learns anew. */
  roundEvery: { usual: 8, most: 1000 },
  /** Of one member in one set. */
  rounds: 200,
  /** One image of so many is kept aside to test rounds on. */
  roundAside: 4,
  /** Days of shares that are told. */
  shareDays: 60,
} as const

/** Labels in files. */
export const labelExchange = {
  /** Lists of all images (COCO, CVAT, tables) that are looked into. */
  lists: 200,
  listBytes: 64 * megabyte,
  /** Of one image. */
  textBytes: 16 * megabyte,
  /** Masks that one program decodes in a row, and how long it may take. */
  masksAtOnce: 24,
  masksMs: 5 * minute,
  /** More colours than this are a photograph. */
  colours: 1000,
  /** What is wrong in files: shown; beyond it, counted. */
  problems: 500,
  classes: 1000,
  /** Jobs of one member, waiting or under way. */
  waiting: 5,
  shown: 20,
  leaseMs: minute,
  tries: 3,
  keepMs: 30 * 24 * hour,
} as const

/** Turning images into other formats. */
export const conversions = {
  sources: 500,
  /** Of one member, waiting or under way. */
  waiting: 20,
  page: 30,
  /** Files of a series or pages of a stack. */
  parts: 5000,
  leaseMs: minute,
  /** How often the lease is renewed, and a conversion under way learns that it was given up. */
  watchMs: second,
  tries: 3,
  keepMs: 30 * 24 * hour,
} as const

/** Preparing images by recipes. */
export const recipes = {
  steps: 20,
  side: 16_384,
  /** Of one member. */
  kept: 200,
  sharedWith: 50,
  /** Of one folder, all kinds together. */
  files: 20_000,
  /** What one merge takes. */
  merged: 5000,
  colours: 64,
  /** Of one member, waiting or under way. */
  waiting: 20,
  page: 20,
  /** Names that a question tells before it. */
  namesTold: 5,
  /** Files that failed which a list names; the others are counted. */
  failures: 50,
  /** Files that become visible in one step, and that one process works on; a kill loses no more. */
  batch: 250,
  batchBytes: 256 * megabyte,
  /** Memory of the program that does it. */
  memoryBytes: 4 * gigabyte,
  /** One that is silent for longer hangs on a file. */
  fileMs: 2 * minute,
  /** Pictures of one look before it begins, their longer side, and how long the look may take. */
  samples: 9,
  /** DICOM files that the look reads the heads of. */
  dicomLooked: 1000,
  sampleSide: 320,
  sampleBytes: 64 * megabyte,
  /** The image–label doctor: pairs of a folder, those looked at in one call, and steps of one repair. */
  pairs: 3000,
  pairsPerCall: 24,
  pairBytes: 128 * megabyte,
  repairs: 6,
  repairSide: 420,
  /** Values of a mask that are listed; more are no classes. */
  maskValues: 64,
  tryMs: 28 * second,
  tryWaiting: 2,
  tryIdleMs: 2 * minute,
  leaseMs: minute,
  watchMs: second,
  tries: 3,
  keepMs: 90 * 24 * hour,
} as const

/** Joining, mending and measuring masks. */
export const masks = {
  /** Joined at once. */
  folders: 10,
  number: 65_535,
  /** Numbers that one step changes. */
  values: 64,
  /** In millimetres, or pixels. */
  radius: 50,
  pieceSize: 1e9,
  /** Files told before it begins: those without one of their name, and those matched by less than it. */
  told: 100,
  /** Groups of volumes whose headers are looked at before it begins. */
  headsLooked: 500,
  /** Of one call, and how long it may go on taking a further one. */
  measured: 200,
  measureBytes: 64 * megabyte,
  measureSeconds: 8,
} as const

/** Looking for texts in pictures, and copies without them. */
export const burnedIn = {
  /** Files and folders chosen at once, and the pictures that they come to. */
  sources: 500,
  pictures: 5000,
  /** Of one film. */
  frames: 1000,
  /** Of one picture; and as many of them are read by Tesseract. */
  regions: 200,
  read: 60,
  textLength: 200,
  /** Of one member, waiting or under way. */
  waiting: 20,
  page: 60,
  /** In pixels, of the longer side of a picture that is shown. */
  side: 2048,
  readMs: 2 * minute,
  /** Memory of Tesseract. */
  readBytes: gigabyte,
  leaseMs: minute,
  watchMs: second,
  tries: 3,
  /** Texts that were read are patients' data: they go with the scan. */
  keepMs: 14 * 24 * hour,
} as const

/** Frames that the browser takes out of a video; the server decodes nothing of it. */
export const videoFrames = {
  /** They become the files of one folder. */
  frames: 5000,
  /** Of all pictures together: they stay in the browser until they are sent. */
  bytes: 2 * gigabyte,
  /** Pixels of the longer side; larger videos are made smaller. */
  side: 4096,
  perSecond: 120,
  everyNth: 1000,
  /** Share of 1, as browsers take it: nearly without visible loss. */
  jpegQuality: 0.92,
  /** A moment that a video does not reach in this time cannot be read. */
  seekMs: 20 * second,
  /** Attempts to read a part of the video over a bad line. */
  tries: 5,
} as const

/**
 * Work that grows with what a member wrote, done beside the process that answers everybody: at most so many processes at
 * once, of which one member has one.
 */
export const aside = {
  atOnce: 2,
  /** Of one member, behind what is under way. */
  waiting: 4,
  /** Together within the time that any call may take. */
  waitMs: 8 * second,
  /** The largest networks take two seconds on a slow machine, their pictures some more; what takes longer is meant to. */
  workMs: 20 * second,
  memoryMegabytes: 768,
  /** A process ends when nobody has asked it for so long. */
  idleMs: 10 * minute,
} as const

/**
 * Work of seconds on more rows than are worth handing to another process, done where everybody is answered: one work at
 * a time over all members, in slices between which the others are.
 */
export const slices = {
  /** A call asks the database several times, and waits for a slice each time. */
  ms: 2,
  /** Between two slices of whatever works. */
  restMs: 3,
  /** Of one member, behind what is under way. */
  waiting: 4,
  /** Together with the work within the time that any call may take. */
  waitMs: 15 * second,
} as const

/** Networks that members draw and save. */
export const networkFileLimits = {
  networks: 200,
  versions: 200,
  nameLength: 60,
  noteLength: 200,
  /** Nodes that one look into a network shows. */
  lookNodes: 80,
  /** Channels and pixels a side of each node that are shown. */
  lookChannels: 8,
  lookSide: 48,
  /** Numbers of a node that holds no picture. */
  lookValues: 64,
  /** From the question to the answer, waiting for others included; within the time that any call may take. */
  lookMs: 28 * second,
  /** Looks of one member that wait behind the one under way. */
  lookWaiting: 2,
  /** The program that looks ends after this without a question. */
  lookIdleMs: 2 * minute,
  /** Memory of that program: weights and all that one image makes on its way. */
  lookBytes: 4 * gigabyte,
} as const

/** Data given to others: members, groups, links. */
export const sharing = {
  /** Entries shown at once. */
  pageSize: 100,
  /** Accounts that do not exist, tried by one member. */
  accountTries: 30,
  accountTriesMs: hour,
  linkTokenBytes: 24,
  linksPerEntry: 10,
  linkDays: [1, 7, 30, 90],
  linkPasswordLength: 64,
  linkPasswordMinLength: 4,
  /**
   * Wrong passwords of one link in the window, from one address and from all. Beyond, the slider is asked for, and one
   * address may be wrong once in `linkProvenMs`: so nobody closes a link for others.
   */
  linkTries: 10,
  linkTriesInAll: 60,
  linkTriesMs: 15 * minute,
  linkProvenMs: minute,
  /** Links that do not exist, guessed from one address. */
  linkTriesPerAddress: 60,
  /** How long a link's visitor may go on before the password is asked for again. */
  linkVisitMs: 2 * hour,
  /** Visits of one link that are written down: no more than one in this time. */
  linkRecordMs: minute,
  groupNameLength: 60,
  groupAboutLength: 1000,
  groupPasswordLength: 64,
  groupMembers: 500,
  groupNumberDigits: 9,
  /** Wrong numbers and passwords of one member, and from one address, which many may share. */
  groupTries: 10,
  groupTriesPerAddress: 60,
  groupTriesMs: 15 * minute,
  /** What was shared within this may be of a call that is still under way: none takes longer. */
  freshMs: minute,
} as const

/** Going on with uploads, and uploads in one request. */
export const uploads = {
  /** What has arrived is compared with the chosen file in blocks of this size. */
  blockBytes: 8 * megabyte,
  sumsPerCall: 64,
  /** Unfinished uploads that are listed, the latest first, and files of one of them in one answer. */
  batchesShown: 100,
  filesPage: 2000,
  /** Largest file of a single request (multipart). */
  singleBytes: 32 * megabyte,
  /** Small files that go in one request, and their bytes; larger files go by themselves. */
  bundleFiles: 100,
  bundleBytes: 2 * megabyte,
  bundledFileBytes: 128 * kilobyte,
  /** A chunk is no smaller than this, however bad the line. */
  smallestChunkBytes: 256 * kilobyte,
  /** Before anything is known of the line. */
  firstChunkBytes: 2 * megabyte,
  /** Chunks grow after so many of them, once the line has held for so long. */
  calmChunks: 4,
  calmMs: 15 * second,
  /** Larger collections of loose files are better sent as a folder: the format ends at 4 GB. */
  packBytes: 3 * gigabyte,
  packFiles: 20_000,
  /** Pictures that the browser opens to see whether they are whole; the others are looked at from both ends. */
  openedPictures: 200,
  lookAtOnce: 6,
} as const

/** Archives unpacked on the server: caps on what really comes out, never on what the archive says. */
export const archives = {
  entries: 20_000,
  /** Entries of any kind that are read at all before an archive is refused. */
  listed: 50_000,
  /** Names, comments and further fields of all entries of a zip together. */
  directoryBytes: 64 * megabyte,
  /** Of a packed tar: what is read, and what it may unpack to, to see in which alphabet its names are. */
  namesPackedBytes: 2 * megabyte,
  namesBytes: 8 * megabyte,
  bytes: 50 * gigabyte,
  /** More than this times its size is a bomb, once it is more than `bombBytes`. */
  ratio: 200,
  bombBytes: 256 * megabyte,
  /** Looked through for longer than this, no part of `bombBytes` may come of less than its share. */
  lookedThroughMs: 6 * second,
  workMs: 30 * minute,
  leaseMs: minute,
  heartbeatMs: 10 * second,
  /** Files that become visible in one step. */
  batch: 200,
  batchBytes: 256 * megabyte,
  /** Lines of a report that are kept. */
  reportLines: 300,
  shown: 20,
  keepMs: 7 * 24 * hour,
  atOnce: 2,
} as const

/** Records of what the browser took out of DICOM files before it sent them. */
export const deidentification = {
  recordsPerCall: 100,
  /** Kinds of attributes that one record may name: more than the whole table of the standard. */
  attributes: 1000,
  /** Records a member may leave in a day. */
  recordsPerDay: 200_000,
  /** A record whose file never arrives, or has been deleted for good, is forgotten after this. */
  orphanMs: 3 * 24 * hour,
} as const

/** How the server deals with a store of objects (S3): patience with it, and the pieces in which it sends. */
export const objectStore = {
  connectMs: 5 * second,
  /** A line on which nothing moves for this long is given up and tried anew. */
  idleMs: 30 * second,
  attempts: 4,
  /** Before the second attempt; three times as long before each further one. */
  retryMs: 300,
  /** A slower line to the store than this counts as broken; no sending takes longer than that and two minutes. */
  minBytesPerSecond: 256 * kilobyte,
  graceMs: 2 * minute,
  /** A store takes 10,000 parts at most: those of the largest files are larger. */
  partBytes: 32 * megabyte,
  partsAtOnce: 3,
  parts: 10_000,
  /** Places of bytes that are remembered, so that a second reading needs no search. */
  knownKeys: 10_000,
  cacheBytes: 20 * gigabyte,
} as const

/** What the search of the top bar takes, and how many of a kind it shows. */
export const search = { textLength: 100, perKind: 5 } as const

/** The toolbox: what is kept of its use, and who has which tools. */
export const toolbox = {
  /** Tools that queue work on the device: bronze (design 4.29). */
  queueLevel: 2,
  /** Uses of a member that are kept, and told at a time. */
  history: 500,
  page: 30,
  titleLength: 200,
  inputs: 12,
  inputName: 30,
  /** Ids of as many files as one call takes. */
  inputLength: 20_000,
  jobsPerCall: 200,
  /** Tables of the statistics bench, which are read in the browser. */
  tableBytes: 20 * megabyte,
  unpackedBytes: 200 * megabyte,
  tableRows: 100_000,
  tableColumns: 500,
  /** By which a division is drawn. */
  seed: 1_000_000,
  /** Values of a column among which one is chosen. */
  values: 50,
  /** Jobs under way are asked for again after this (specification, section 9). */
  pollMs: 5 * second,
  /** Random changes of training: images and volumes of one look, their bytes, how large the network's are, and the pictures'. */
  varied: 9,
  variedVolumes: 4,
  variedBytes: 64 * megabyte,
  variedSide: 1024,
  variedDepth: 128,
  variedShown: 320,
  /** Memory of the program that draws them. */
  variedMemory: 4 * gigabyte,
  /** The model inspector: bytes of a file, tensors that are told one by one, and memory of the program that reads. */
  inspectedBytes: gigabyte,
  inspectedTensors: 2000,
  inspectedMemory: 2 * gigabyte,
  /** Tools that one member made, what one says of itself, and how its settings are called. */
  ownTools: 1000,
  aboutLength: 200,
  labelLength: 60,
  /** Settings of one form. */
  settings: 40,
  /** Groups that one tool is given to. */
  sharedGroups: 50,
  /** Sharing for a while, in days. */
  shareDays: [1, 7, 30, 90],
} as const

/** 4D flow studies: of one member, and of one of them. */
export const flowLimits = {
  nameLength: 200,
  /** Files or folders that are chosen at once, and files below them. */
  chosen: 1000,
  files: 100_000,
  /** Studies of one member that are looked at or made at a time. */
  waiting: 20,
  /** Voxels times frames of one study: 8 bytes each. To be looked at; fewer can be computed. */
  voxels: 200_000_000,
  page: 30,
  /** What is chosen may take so much altogether: a store elsewhere has to bring all of it. */
  sourceBytes: 64 * gigabyte,
  /** Of the engine, at work on one study. */
  memoryBytes: 4 * gigabyte,
  /**
   * What a run takes of it: for itself, for each voxel, and for each voxel of each frame. Measured were 0.32 GB, 35 to 61 bytes and
   * 59 bytes on blocks of 10 to 61 million voxels times frames; the rest is air (docs/figures.md).
   */
  memory: { base: 512 * megabyte, voxel: 200, voxelFrame: 62 },
  /** Heads of all files; all of their numbers. */
  lookMs: 10 * minute,
  makeMs: 30 * minute,
  leaseMs: minute,
  /** How often the lease is renewed, and work under way learns that it was given up. */
  watchMs: second,
  tries: 3,
  /** Addresses of a study's values last as long as somebody looks at it. */
  linkMs: 12 * hour,
  /** Of the files of two studies that are looked at beside each other: a page may take 1 GB, and reading takes twice the files. */
  besideBytes: 400 * megabyte,
} as const

/** How long the list of uploads stays when everything arrived: long enough to be read on coming back to the page. */
export const uploadPanel = { panelStaysMs: 10_000 } as const

/** Flow imaging. Ranges of its nine options: `flow/options.ts`. */
export const flow = {
  /** Of one picture; more are no longer told apart. */
  arrows: 20_000,
  /** Of one study, as its frames are chosen by number. */
  frames: 1000,
  slices: 10_000,
  seed: 2 ** 31 - 1,
  /** Settings that one member keeps under names of their own. */
  presets: 50,
  presetNameLength: 60,
  /** Voxels from which a mask grows. */
  grow: 20,
  /** Planes that are kept with a run. */
  sections: 20,
  sectionNameLength: 60,
  /** Pictures that a run's report shows. */
  figures: 12,
  figureBytes: 6 * megabyte,
  captionLength: 300,
} as const
