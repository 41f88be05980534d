/** Names that a member of each language would give to the samples. Data only. */
export type Language = 'en' | 'zh' | 'ru'

type Words = {
  segmentation: { name: string; description: string }
  classification: { name: string; description: string }
  empty: { name: string; description: string }
  folders: [cells: string, shapes: string]
  networks: { unet: string; broken: string }
}

export const samples: Record<Language, Words> = {
  en: {
    segmentation: { name: 'Outline cells', description: 'Where are the cells in a microscope field?' },
    classification: { name: 'Cell shapes', description: 'Round, elongated or clustered?' },
    empty: { name: 'Lung nodules', description: 'Outline nodules in CT slices' },
    folders: ['Microscope fields', 'Cell shapes'],
    networks: { unet: 'U-Net for cells', broken: 'First try' },
  },
  zh: {
    segmentation: { name: '勾画细胞', description: '显微视野中细胞在哪里？' },
    classification: { name: '细胞形态', description: '圆形、长形还是成簇？' },
    empty: { name: '肺结节', description: '在 CT 切片中勾画结节' },
    folders: ['显微视野', '细胞形态'],
    networks: { unet: '细胞 U-Net', broken: '初次尝试' },
  },
  ru: {
    segmentation: { name: 'Контуры клеток', description: 'Где на снимке микроскопа клетки?' },
    classification: { name: 'Форма клеток', description: 'Круглые, вытянутые или в скоплении?' },
    empty: { name: 'Очаги в лёгких', description: 'Обвести очаги на срезах КТ' },
    folders: ['Поля микроскопа', 'Форма клеток'],
    networks: { unet: 'U-Net для клеток', broken: 'Первая проба' },
  },
}
