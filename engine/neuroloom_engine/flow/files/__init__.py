"""4D flow studies in files that are no DICOM: what they tell, and the one form that all of them take. Needs
no torch."""
