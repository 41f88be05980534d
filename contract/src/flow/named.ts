/** What 4D flow knows by name: makers, kinds of files, lights of quality, known flows. Data only: public pages list them too. */
export const flowVendors = ['siemens', 'philips', 'ge', 'united_imaging'] as const
/** As they are written in every language. */
export const flowVendorNames = {
  siemens: 'Siemens',
  philips: 'Philips',
  ge: 'GE',
  united_imaging: 'United Imaging',
} as const satisfies Record<(typeof flowVendors)[number], string>
/** Kinds of files that a study is made of. */
export const flowFormats = ['dicom', 'par_rec', 'nifti', 'hdf5', 'mat', 'vtk'] as const
/** `sharpened`: made finer by a network, of a study that was corrected. */
export const flowSources = [...flowFormats, 'phantom', 'sharpened'] as const

/** Of the whole study; `massBalance` and `voxelsAcross` are told of planes. Texts `flow-run:light.<name>`. */
export const flowLights = [
  'voxelsAcross',
  'spacing',
  'frameGap',
  'vencFit',
  'torn',
  'offset',
  'massBalance',
  'divergence',
  'noise',
] as const
export type FlowLightName = (typeof flowLights)[number]

/** Names of the engine's gallery. */
export const phantoms = [
  'womersley',
  'thorax',
  'pulsatile',
  'poiseuille',
  'ring',
  'vortex',
  'taylorGreen',
  'abc',
  'rotation',
  'linear',
] as const
export type PhantomName = (typeof phantoms)[number]
