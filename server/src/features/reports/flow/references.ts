/** Papers that a report names. Written alike in every language. */
export const references = {
  bissell: 'Bissell et al. 2023, J Cardiovasc Magn Reson 25:40',
  dyverfeldt: 'Dyverfeldt et al. 2015, J Cardiovasc Magn Reson 17:72',
  ferdian: 'Ferdian et al. 2020, Front Phys 8:138',
  foucaut: 'Foucaut, Stanislas 2002, Meas Sci Technol 13:1058',
  gatehouse: 'Gatehouse et al. 2010, J Cardiovasc Magn Reson 12:5',
  hunt: 'Hunt, Wray, Moin 1988, Center for Turbulence Research CTR-S88',
  jeong: 'Jeong, Hussain 1995, J Fluid Mech 285:69',
  keller: 'Keller et al. 2017',
  loecher: 'Loecher et al. 2016, J Magn Reson Imaging 43:833',
  oechtering: 'Oechtering et al. 2023, J Cardiovasc Magn Reson 25:22',
  otsu: 'Otsu 1979, IEEE Trans Syst Man Cybern 9:62',
  pravdivtseva: 'Pravdivtseva et al. 2022, Tomography 8:457',
  savitzky: 'Savitzky, Golay 1964, Anal Chem 36:1627',
  trauzeddel: 'Trauzeddel et al. 2024, doi 10.3389/fcvm.2024.1465554',
} as const
export type Reference = keyof typeof references
