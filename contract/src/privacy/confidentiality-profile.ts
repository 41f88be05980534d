/** DICOM PS3.15 Table E.1-1 as data: what the Basic Application Level Confidentiality Profile does to each attribute. Pure. */

export const profileEdition = 'PS3.15 2026c'

type Action = 'D' | 'Z' | 'X' | 'U' | 'X/Z' | 'X/D' | 'Z/D' | 'X/Z/D' | 'X/Z/U*'
export type Rule = { action: Action; vr: string; name: string; isBeyond: boolean }

/** The rule of an attribute; null = it stays. Odd groups are private and no matter of this function. */
export function ruleOf(tag: number): Rule | null {
  const group = tag >>> 16
  if (group >= 0x5000 && group <= 0x50ff) return curveRule
  if (group >= 0x6000 && group <= 0x60ff) return overlayRule(tag & 0xffff)
  return rules.get(tag) ?? null
}

/** Rows of the table that name one attribute. */
export const tableRows = (): [tag: number, rule: Rule][] => [...rules].filter(([, rule]) => !rule.isBeyond)

const curveRule: Rule = { action: 'X', vr: 'OW', name: 'Curve Data', isBeyond: false }

/** The table takes (60xx,3000) and (60xx,4000); the rest of a plane would describe what is no longer there. */
function overlayRule(element: number): Rule {
  const name = element === 0x4000 ? 'Overlay Comments' : 'Overlay Data'
  return { action: 'X', vr: 'OW', name, isBeyond: element !== 0x3000 && element !== 0x4000 }
}

/** Tag, value representation, action and name, in the order of tags. */
const table = `
00001000 UI X      Affected SOP Instance UID
00001001 UI U      Requested SOP Instance UID
00020003 UI U      Media Storage SOP Instance UID
00041511 UI U      Referenced SOP Instance UID in File
00080012 DA X/D    Instance Creation Date
00080013 TM X/Z/D  Instance Creation Time
00080014 UI U      Instance Creator UID
00080015 DT X      Instance Coercion DateTime
00080017 UI U      Acquisition UID
00080018 UI U      SOP Instance UID
00080019 UI U      Pyramid UID
00080020 DA Z      Study Date
00080021 DA X/D    Series Date
00080022 DA X/Z    Acquisition Date
00080023 DA Z/D    Content Date
00080024 DA X      Overlay Date
00080025 DA X      Curve Date
0008002A DT X/Z/D  Acquisition DateTime
00080030 TM Z      Study Time
00080031 TM X/D    Series Time
00080032 TM X/Z    Acquisition Time
00080033 TM Z/D    Content Time
00080034 TM X      Overlay Time
00080035 TM X      Curve Time
00080050 SH Z      Accession Number
00080054 AE X      Retrieve AE Title
00080055 AE X      Station  AE Title
00080058 UI U      Failed SOP Instance UID List
00080080 LO X/Z/D  Institution Name
00080081 ST X      Institution Address
00080082 SQ X/Z/D  Institution Code Sequence
00080090 PN Z      Referring Physician's Name
00080092 ST X      Referring Physician's Address
00080094 SH X      Referring Physician's Telephone Numbers
00080096 SQ X      Referring Physician Identification Sequence
0008009C PN Z      Consulting Physician's Name
0008009D SQ X      Consulting Physician Identification Sequence
00080106 DT D      Context Group Version
00080107 DT D      Context Group Local Version
00080201 SH X      Timezone Offset From UTC
00081000 AE X      Network ID
00081010 SH X/Z/D  Station Name
00081030 LO X      Study Description
0008103E LO X      Series Description
00081040 LO X      Institutional Department Name
00081041 SQ X      Institutional Department Type Code Sequence
00081048 PN X      Physician(s) of Record
00081049 SQ X      Physician(s) of Record Identification Sequence
00081050 PN X      Performing Physician's Name
00081052 SQ X      Performing Physician Identification Sequence
00081060 PN X      Name of Physician(s) Reading Study
00081062 SQ X      Physician(s) Reading Study Identification Sequence
00081070 PN X/Z/D  Operators' Name
00081072 SQ X/D    Operator Identification Sequence
00081080 LO X      Admitting Diagnoses Description
00081084 SQ X      Admitting Diagnoses Code Sequence
00081088 LO X      Pyramid Description
00081110 SQ X/Z    Referenced Study Sequence
00081111 SQ X/Z/D  Referenced Performed Procedure Step Sequence
00081120 SQ X      Referenced Patient Sequence
00081140 SQ X/Z/U* Referenced Image Sequence
00081155 UI U      Referenced SOP Instance UID
00081195 UI U      Transaction UID
00081301 SQ X      Principal Diagnosis Code Sequence
00081302 SQ X      Primary Diagnosis Code Sequence
00081303 SQ X      Secondary Diagnoses Code Sequence
00081304 SQ X      Histological Diagnoses Code Sequence
00082111 ST X      Derivation Description
00082112 SQ X/Z/U* Source Image Sequence
00083010 UI U      Irradiation Event UID
00084000 LT X      Identifying Comments
00100010 PN Z      Patient's Name
00100011 SQ X      Person Names to Use Sequence
00100012 LT X      Name to Use
00100013 UT X      Name to Use Comment
00100014 SQ X      Third Person Pronouns Sequence
00100015 SQ X      Pronoun Code Sequence
00100016 UT X      Pronoun Comment
00100020 LO Z/D    Patient ID
00100021 LO X      Issuer of Patient ID
00100030 DA Z      Patient's Birth Date
00100032 TM X      Patient's Birth Time
00100040 CS Z      Patient's Sex
00100041 SQ X      Gender Identity Sequence
00100042 UT X      Sex Parameters for Clinical Use Category Comment
00100043 SQ X      Sex Parameters for Clinical Use Category Sequence
00100044 SQ X      Gender Identity Code Sequence
00100045 UT X      Gender Identity Comment
00100046 SQ X      Sex Parameters for Clinical Use Category Code Sequence
00100047 UR X      Sex Parameters for Clinical Use Category Reference
00100050 SQ X      Patient's Insurance Plan Code Sequence
00100101 SQ X      Patient's Primary Language Code Sequence
00100102 SQ X      Patient's Primary Language Modifier Code Sequence
00101000 LO X      Other Patient IDs
00101001 PN X      Other Patient Names
00101002 SQ X      Other Patient IDs Sequence
00101005 PN X      Patient's Birth Name
00101010 AS X      Patient's Age
00101020 DS X      Patient's Size
00101030 DS X      Patient's Weight
00101040 LO X      Patient's Address
00101050 LO X      Insurance Plan Identification
00101060 PN X      Patient's Mother's Birth Name
00101080 LO X      Military Rank
00101081 LO X      Branch of Service
00101090 LO X      Medical Record Locator
00101100 SQ X      Referenced Patient Photo Sequence
00102000 LO X      Medical Alerts
00102110 LO X      Allergies
00102150 LO X      Country of Residence
00102152 LO X      Region of Residence
00102154 SH X      Patient's Telephone Numbers
00102155 LT X      Patient's Telecom Information
00102160 SH X      Ethnic Group
00102161 SQ X      Ethnic Group Code Sequence
00102162 UC X      Ethnic Groups
00102180 SH X      Occupation
001021A0 CS X      Smoking Status
001021B0 LT X      Additional Patient History
001021C0 US X      Pregnancy Status
001021D0 DA X      Last Menstrual Date
001021F0 LO X      Patient's Religious Preference
00102203 CS X/Z    Patient's Sex Neutered
00102297 PN X      Responsible Person
00102299 LO X      Responsible Organization
00104000 LT X      Patient Comments
00120010 LO D      Clinical Trial Sponsor Name
00120020 LO D      Clinical Trial Protocol ID
00120021 LO Z      Clinical Trial Protocol Name
00120022 LO X      Issuer of Clinical Trial Protocol ID
00120023 SQ X      Other Clinical Trial Protocol IDs Sequence
00120030 LO Z      Clinical Trial Site ID
00120031 LO Z      Clinical Trial Site Name
00120032 LO X      Issuer of Clinical Trial Site ID
00120040 LO D      Clinical Trial Subject ID
00120041 LO X      Issuer of Clinical Trial Subject ID
00120042 LO D      Clinical Trial Subject Reading ID
00120043 LO X      Issuer of Clinical Trial Subject Reading ID
00120050 LO Z      Clinical Trial Time Point ID
00120051 ST X      Clinical Trial Time Point Description
00120055 LO X      Issuer of Clinical Trial Time Point ID
00120060 LO Z      Clinical Trial Coordinating Center Name
00120071 LO X      Clinical Trial Series ID
00120072 LO X      Clinical Trial Series Description
00120073 LO X      Issuer of Clinical Trial Series ID
00120081 LO D      Clinical Trial Protocol Ethics Committee Name
00120082 LO X      Clinical Trial Protocol Ethics Committee Approval Number
00120086 DA X      Ethics Committee Approval Effectiveness Start Date
00120087 DA X      Ethics Committee Approval Effectiveness End Date
0014407C TM X      Calibration Time
0014407E DA X      Calibration Date
0016002B OB X      Maker Note
0016004B OB X      Device Setting Description
0016004D UT X      Camera Owner Name
0016004E DS X      Lens Specification
0016004F UT X      Lens Make
00160050 UT X      Lens Model
00160051 UT X      Lens Serial Number
00160070 OB X      GPS Version ID
00160071 CS X      GPS Latitude Ref
00160072 DS X      GPS Latitude
00160073 CS X      GPS Longitude Ref
00160074 DS X      GPS Longitude
00160075 US X      GPS Altitude Ref
00160076 DS X      GPS Altitude
00160077 DT X      GPS Time Stamp
00160078 UT X      GPS Satellites
00160079 CS X      GPS Status
0016007A CS X      GPS Measure Mode
0016007B DS X      GPS DOP
0016007C CS X      GPS Speed Ref
0016007D DS X      GPS Speed
0016007E CS X      GPS Track Ref
0016007F DS X      GPS Track
00160080 CS X      GPS Img Direction Ref
00160081 DS X      GPS Img Direction
00160082 UT X      GPS Map Datum
00160083 CS X      GPS Dest Latitude Ref
00160084 DS X      GPS Dest Latitude
00160085 CS X      GPS Dest Longitude Ref
00160086 DS X      GPS Dest Longitude
00160087 CS X      GPS Dest Bearing Ref
00160088 DS X      GPS Dest Bearing
00160089 CS X      GPS Dest Distance Ref
0016008A DS X      GPS Dest Distance
0016008B OB X      GPS Processing Method
0016008C OB X      GPS Area Information
0016008D DT X      GPS Date Stamp
0016008E IS X      GPS Differential
00180010 LO Z/D    Contrast/Bolus Agent
00180027 TM X      Intervention Drug Stop Time
00180035 TM X      Intervention Drug Start Time
00181000 LO X/Z/D  Device Serial Number
00181002 UI U      Device UID
00181004 LO X      Plate ID
00181005 LO X      Generator ID
00181007 LO X      Cassette ID
00181008 LO X      Gantry ID
00181009 UT X      Unique Device Identifier
0018100A SQ X      UDI Sequence
0018100B UI U      Manufacturer's Device Class UID
00181010 LO X      Secondary Capture Device ID
00181011 LO X      Hardcopy Creation Device ID
00181012 DA X      Date of Secondary Capture
00181014 TM X      Time of Secondary Capture
00181030 LO X/D    Protocol Name
00181042 TM X      Contrast/Bolus Start Time
00181043 TM X      Contrast/Bolus Stop Time
00181072 TM X      Radiopharmaceutical Start Time
00181073 TM X      Radiopharmaceutical Stop Time
00181078 DT X      Radiopharmaceutical Start DateTime
00181079 DT X      Radiopharmaceutical Stop DateTime
001811BB LO D      Acquisition Field Of View Label
00181200 DA X      Date of Last Calibration
00181201 TM X      Time of Last Calibration
00181202 DT X      DateTime of Last Calibration
00181203 DT Z      Calibration DateTime
00181204 DA X      Date of Manufacture
00181205 DA X      Date of Installation
00181400 LO X/D    Acquisition Device Processing Description
00182042 UI U      Target UID
00184000 LT X      Acquisition Comments
00185011 SQ X      Transducer Identification Sequence
0018700A SH X/D    Detector ID
0018700C DA X/D    Date of Last Detector Calibration
0018700E TM X/D    Time of Last Detector Calibration
00189074 DT D      Frame Acquisition DateTime
00189151 DT D      Frame Reference DateTime
00189185 ST X      Respiratory Motion Compensation Technique Description
00189367 UC D      X-Ray Source ID
00189369 DT D      Source Start DateTime
0018936A DT D      Source End DateTime
00189371 UC D      X-Ray Detector ID
00189373 ST X      X-Ray Detector Label
0018937B UT X      Multi-energy Acquisition Description
0018937F UT X      Decomposition Description
00189424 LT X      Acquisition Protocol Description
00189516 DT X/D    Start Acquisition DateTime
00189517 DT X/D    End Acquisition DateTime
00189623 DT D      Functional Sync Pulse
00189701 DT D      Decay Correction DateTime
00189804 DT D      Exclusion Start DateTime
00189919 DT Z/D    Instruction Performed DateTime
00189937 LO X      Requested Series Description
0018A002 DT X      Contribution DateTime
0018A003 ST X      Contribution Description
0020000D UI U      Study Instance UID
0020000E UI U      Series Instance UID
00200010 SH Z      Study ID
00200027 LO X      Pyramid Label
00200052 UI U      Frame of Reference UID
00200200 UI U      Synchronization Frame of Reference UID
00203401 CS X      Modifying Device ID
00203403 DA X      Modified Image Date
00203405 TM X      Modified Image Time
00203406 LO X      Modified Image Description
00204000 LT X      Image Comments
00209158 LT X      Frame Comments
00209161 UI U      Concatenation UID
00209164 UI U      Dimension Organization UID
00281199 UI U      Palette Color Lookup Table UID
00281214 UI U      Large Palette Color Lookup Table UID
00284000 LT X      Image Presentation Comments
00320012 LO X      Study ID Issuer
00320032 DA X      Study Verified Date
00320033 TM X      Study Verified Time
00320034 DA X      Study Read Date
00320035 TM X      Study Read Time
00321000 DA X      Scheduled Study Start Date
00321001 TM X      Scheduled Study Start Time
00321010 DA X      Scheduled Study Stop Date
00321011 TM X      Scheduled Study Stop Time
00321020 LO X      Scheduled Study Location
00321021 AE X      Scheduled Study Location AE Title
00321030 LO X      Reason for Study
00321032 PN X      Requesting Physician
00321033 LO X      Requesting Service
00321040 DA X      Study Arrival Date
00321041 TM X      Study Arrival Time
00321050 DA X      Study Completion Date
00321051 TM X      Study Completion Time
00321060 LO X/Z    Requested Procedure Description
00321066 UT X      Reason for Visit
00321067 SQ X      Reason for Visit Code Sequence
00321070 LO X      Requested Contrast Agent
00324000 LT X      Study Comments
00340001 SQ D      Flow Identifier Sequence
00340002 OB D      Flow Identifier
00340005 OB D      Source Identifier
00340007 OB D      Frame Origin Timestamp
00380004 SQ X      Referenced Patient Alias Sequence
00380010 LO X      Admission ID
00380011 LO X      Issuer of Admission ID
00380014 SQ X      Issuer of Admission ID Sequence
0038001A DA X      Scheduled Admission Date
0038001B TM X      Scheduled Admission Time
0038001C DA X      Scheduled Discharge Date
0038001D TM X      Scheduled Discharge Time
0038001E LO X      Scheduled Patient Institution Residence
00380020 DA X      Admitting Date
00380021 TM X      Admitting Time
00380030 DA X      Discharge Date
00380032 TM X      Discharge Time
00380040 LO X      Discharge Diagnosis Description
00380050 LO X      Special Needs
00380060 LO X      Service Episode ID
00380061 LO X      Issuer of Service Episode ID
00380062 LO X      Service Episode Description
00380064 SQ X      Issuer of Service Episode ID Sequence
00380300 LO X      Current Patient Location
00380400 LO X      Patient's Institution Residence
00380500 LO X      Patient State
00384000 LT X      Visit Comments
003A0020 SH X      Multiplex Group Label
003A0203 SH X      Channel Label
003A020C LO X      Channel Derivation Description
003A0310 UI U      Multiplex Group UID
003A0314 DT D      Impedance Measurement DateTime
003A0329 LO X      Waveform Filter Description
003A032B LO X      Filter Lookup Table Description
00400001 AE X      Scheduled Station AE Title
00400002 DA X      Scheduled Procedure Step Start Date
00400003 TM X      Scheduled Procedure Step Start Time
00400004 DA X      Scheduled Procedure Step End Date
00400005 TM X      Scheduled Procedure Step End Time
00400006 PN X      Scheduled Performing Physician's Name
00400007 LO X      Scheduled Procedure Step Description
00400009 SH X      Scheduled Procedure Step ID
0040000B SQ X      Scheduled Performing Physician Identification Sequence
00400010 SH X      Scheduled Station Name
00400011 SH X      Scheduled Procedure Step Location
00400012 LO X      Pre-Medication
00400241 AE X      Performed Station AE Title
00400242 SH X      Performed Station Name
00400243 SH X      Performed Location
00400244 DA X      Performed Procedure Step Start Date
00400245 TM X      Performed Procedure Step Start Time
00400250 DA X      Performed Procedure Step End Date
00400251 TM X      Performed Procedure Step End Time
00400253 SH X      Performed Procedure Step ID
00400254 LO X      Performed Procedure Step Description
00400275 SQ X      Request Attributes Sequence
00400280 ST X      Comments on the Performed Procedure Step
00400310 ST X      Comments on Radiation Dose
0040050A LO X      Specimen Accession Number
00400512 LO D      Container Identifier
00400513 SQ Z      Issuer of the Container Identifier Sequence
0040051A LO X      Container Description
00400551 LO D      Specimen Identifier
00400554 UI U      Specimen UID
00400555 SQ X/Z    Acquisition Context Sequence
00400556 ST X      Acquisition Context Description
00400562 SQ Z      Issuer of the Specimen Identifier Sequence
00400600 LO X      Specimen Short Description
00400602 UT X      Specimen Detailed Description
00400610 SQ Z      Specimen Preparation Sequence
004006FA LO X      Slide Identifier
00401001 SH X      Requested Procedure ID
00401002 LO X      Reason for the Requested Procedure
00401004 LO X      Patient Transport Arrangements
00401005 LO X      Requested Procedure Location
0040100A SQ X      Reason for Requested Procedure Code Sequence
00401010 PN X      Names of Intended Recipients of Results
00401011 SQ X      Intended Recipients of Results Identification Sequence
00401101 SQ D      Person Identification Code Sequence
00401102 ST X      Person's Address
00401103 LO X      Person's Telephone Numbers
00401104 LT X      Person's Telecom Information
00401400 LT X      Requested Procedure Comments
00402001 LO X      Reason for the Imaging Service Request
00402004 DA X      Issue Date of Imaging Service Request
00402005 TM X      Issue Time of Imaging Service Request
00402008 PN X      Order Entered By
00402009 SH X      Order Enterer's Location
00402010 SH X      Order Callback Phone Number
00402011 LT X      Order Callback Telecom Information
00402016 LO Z      Placer Order Number / Imaging Service Request
00402017 LO Z      Filler Order Number / Imaging Service Request
00402400 LT X      Imaging Service Request Comments
00403001 LO X      Confidentiality Constraint on Patient Data Description
00404005 DT X      Scheduled Procedure Step Start DateTime
00404008 DT X      Scheduled Procedure Step Expiration DateTime
00404010 DT X      Scheduled Procedure Step Modification DateTime
00404011 DT X      Expected Completion DateTime
00404023 UI U      Referenced General Purpose Scheduled Procedure Step Transaction UID
00404025 SQ X      Scheduled Station Name Code Sequence
00404027 SQ X      Scheduled Station Geographic Location Code Sequence
00404028 SQ X      Performed Station Name Code Sequence
00404030 SQ X      Performed Station Geographic Location Code Sequence
00404034 SQ X      Scheduled Human Performers Sequence
00404035 SQ X      Actual Human Performers Sequence
00404036 LO X      Human Performer's Organization
00404037 PN X      Human Performer's Name
00404050 DT X      Performed Procedure Step Start DateTime
00404051 DT X      Performed Procedure Step End DateTime
00404052 DT X      Procedure Step Cancellation DateTime
0040A023 DA X      Findings Group Recording Date (Trial)
0040A024 TM X      Findings Group Recording Time (Trial)
0040A027 LO D      Verifying Organization
0040A030 DT D      Verification DateTime
0040A032 DT X/D    Observation DateTime
0040A033 DT X      Observation Start DateTime
0040A034 DT X      Effective Start DateTime
0040A035 DT X      Effective Stop DateTime
0040A073 SQ D      Verifying Observer Sequence
0040A075 PN D      Verifying Observer Name
0040A078 SQ X      Author Observer Sequence
0040A07A SQ X      Participant Sequence
0040A07C SQ X      Custodial Organization Sequence
0040A082 DT Z      Participation DateTime
0040A088 SQ Z      Verifying Observer Identification Code Sequence
0040A110 DA X      Date of Document or Verbal Transaction (Trial)
0040A112 TM X      Time of Document Creation or Verbal Transaction (Trial)
0040A120 DT D      DateTime
0040A121 DA D      Date
0040A122 TM D      Time
0040A123 PN D      Person Name
0040A124 UI U      UID
0040A13A DT D      Referenced DateTime
0040A171 UI U      Observation UID
0040A172 UI U      Referenced Observation UID (Trial)
0040A192 DA X      Observation Date (Trial)
0040A193 TM X      Observation Time (Trial)
0040A307 PN X      Current Observer (Trial)
0040A352 PN X      Verbal Source (Trial)
0040A353 ST X      Address (Trial)
0040A354 LO X      Telephone Number (Trial)
0040A358 SQ X      Verbal Source Identifier Code Sequence (Trial)
0040A402 UI U      Observation Subject UID (Trial)
0040A730 SQ D      Content Sequence
0040B020 SQ X/D    Waveform Annotation Sequence
0040B034 DT X      Annotation DateTime
0040B036 DT X      Segment Definition DateTime
0040B03B LO X      Montage Name
0040B03F LO X      Montage Channel Label
0040DB06 DT X      Template Version
0040DB07 DT X      Template Local Version
0040DB0C UI U      Template Extension Organization UID
0040DB0D UI U      Template Extension Creator UID
0040E004 DT X      HL7 Document Effective Time
0040E012 UR X      Display URI
00420011 OB D      Encapsulated Document
00440004 DT X      Approval Status DateTime
0044000B DT X      Product Expiration DateTime
00440010 DT X      Substance Administration DateTime
00440104 DT D      Assertion DateTime
00440105 DT X      Assertion Expiration DateTime
0050001B LO X      Container Component ID
00500020 LO X      Device Description
00500021 ST X      Long Device Description
00620021 UI U      Tracking UID
00640003 UI U      Source Frame of Reference UID
00686226 DT D      Effective DateTime
00686270 DT D      Information Issue DateTime
006A0003 UI D      Annotation Group UID
006A0005 LO D      Annotation Group Label
006A0006 UT X      Annotation Group Description
00700001 SQ D      Graphic Annotation Sequence
00700006 ST D      Unformatted Text Value
00700082 DA X      Presentation Creation Date
00700083 TM X      Presentation Creation Time
00700084 PN Z/D    Content Creator's Name
00700086 SQ X      Content Creator's Identification Code Sequence
0070031A UI U      Fiducial UID
00701101 UI U      Presentation Display Collection UID
00701102 UI U      Presentation Sequence Collection UID
0072000A DT D      Hanging Protocol Creation DateTime
0072005E AE D      Selector AE Value
0072005F AS D      Selector AS Value
00720061 DA D      Selector DA Value
00720063 DT D      Selector DT Value
00720065 OB D      Selector OB Value
00720066 LO D      Selector LO Value
00720068 LT D      Selector LT Value
0072006A PN D      Selector PN Value
0072006B TM D      Selector TM Value
0072006C SH D      Selector SH Value
0072006D UN D      Selector UN Value
0072006E ST D      Selector ST Value
00720070 UT D      Selector UT Value
00720071 UR D      Selector UR Value
00741234 AE X      Receiving AE
00741236 AE X      Requesting AE
00880140 UI U      Storage Media File-set UID
00880200 SQ X      Icon Image Sequence
00880904 LO X      Topic Title
00880906 ST X      Topic Subject
00880910 LO X      Topic Author
00880912 LO X      Topic Keywords
01000420 DT X      SOP Authorization DateTime
04000100 UI U      Digital Signature UID
04000105 DT D      Digital Signature DateTime
04000115 OB D      Certificate of Signer
04000310 OB X      Certified Timestamp
04000402 SQ X      Referenced Digital Signature Sequence
04000403 SQ X      Referenced SOP Instance MAC Sequence
04000404 OB X      MAC
04000550 SQ X      Modified Attributes Sequence
04000551 SQ X      Nonconforming Modified Attributes Sequence
04000552 OB X      Nonconforming Data Element Value
04000561 SQ X      Original Attributes Sequence
04000562 DT D      Attribute Modification DateTime
04000563 LO D      Modifying System
04000564 LO Z      Source of Previous Values
04000565 CS D      Reason for the Attribute Modification
04000600 CS X      Instance Origin Status
20300020 LO X      Text String
21000040 DA X      Creation Date
21000050 TM X      Creation Time
21000070 AE X      Originator
21000140 AE D      Destination AE
22000002 UT X/Z    Label Text
22000005 LT X/Z    Barcode Value
30020121 LO X      Position Acquisition Template Name
30020123 LO X      Position Acquisition Template Description
30060002 SH D      Structure Set Label
30060004 LO X      Structure Set Name
30060006 ST X      Structure Set Description
30060008 DA Z      Structure Set Date
30060009 TM Z      Structure Set Time
30060024 UI U      Referenced Frame of Reference UID
30060026 LO Z      ROI Name
30060028 ST X      ROI Description
3006002D DT X      ROI DateTime
3006002E DT X      ROI Observation DateTime
30060038 LO X      ROI Generation Description
3006004D SQ X      ROI Creator Sequence
3006004E SQ X      ROI Interpreter Sequence
30060085 SH X      ROI Observation Label
30060088 ST X      ROI Observation Description
300600A6 PN Z      ROI Interpreter
300600C2 UI U      Related Frame of Reference UID
30080024 DA D      Treatment Control Point Date
30080025 TM D      Treatment Control Point Time
30080054 DA X/D    First Treatment Date
30080056 DA X/D    Most Recent Treatment Date
30080105 LO X/Z    Source Serial Number
30080162 DA D      Safe Position Exit Date
30080164 TM D      Safe Position Exit Time
30080166 DA D      Safe Position Return Date
30080168 TM D      Safe Position Return Time
30080250 DA X/D    Treatment Date
30080251 TM X/D    Treatment Time
300A0002 SH D      RT Plan Label
300A0003 LO X      RT Plan Name
300A0004 ST X      RT Plan Description
300A0006 DA X/D    RT Plan Date
300A0007 TM X/D    RT Plan Time
300A000B LO X      Treatment Sites
300A000E ST X      Prescription Description
300A0013 UI U      Dose Reference UID
300A0016 LO X      Dose Reference Description
300A0054 UI U      Table Top Position Alignment UID
300A0072 LO X      Fraction Group Description
300A0083 UI U      Referenced Dose Reference UID
300A00B2 SH X/Z    Treatment Machine Name
300A00C3 ST X      Beam Description
300A00DD ST X      Bolus Description
300A0196 ST X      Fixation Device Description
300A01A6 ST X      Shielding Device Description
300A01B2 ST X      Setup Technique Description
300A0216 LO X      Source Manufacturer
300A022C DA D      Source Strength Reference Date
300A022E TM D      Source Strength Reference Time
300A02EB LT X      Compensator Description
300A0608 LO D      Treatment Position Group Label
300A0609 UI U      Treatment Position Group UID
300A0611 LO Z      RT Accessory Holder Slot ID
300A0615 LO Z      RT Accessory Device Slot ID
300A0619 LO D      Radiation Dose Identification Label
300A0623 LO D      Radiation Dose In-Vivo Measurement Label
300A062A LO D      RT Tolerance Set Label
300A0650 UI U      Patient Setup UID
300A0676 ST X      Equipment Frame of Reference Description
300A067C SH D      Radiation GenerationMode Label
300A067D ST Z      Radiation GenerationMode Description
300A0700 UI U      Treatment Session UID
300A0734 ST D      Treatment Tolerance Violation Description
300A0736 DT D      Treatment Tolerance Violation DateTime
300A073A DT D      Recorded RT Control Point DateTime
300A0741 DT D      Interlock DateTime
300A0742 ST D      Interlock Description
300A0760 DT D      Override DateTime
300A0783 LO D      Interlock Origin Description
300A0785 UI U      Referenced Treatment Position Group UID
300A078E ST X      Patient Treatment Preparation Procedure Parameter Description
300A0792 ST X      Patient Treatment Preparation Method Description
300A0794 ST X      Patient Setup Photo Description
300A079A LO X      Displacement Reference Label
300C0113 LO X      Reason for Omission Description
300C0127 DT D      Beam Hold Transition DateTime
300E0004 DA Z      Review Date
300E0005 TM Z      Review Time
300E0008 PN X/Z    Reviewer Name
30100006 UI U      Conceptual Volume UID
3010000B UI U      Referenced Conceptual Volume UID
3010000F ST Z      Conceptual Volume Combination Description
30100013 UI U      Constituent Conceptual Volume UID
30100015 UI U      Source Conceptual Volume UID
30100017 ST Z      Conceptual Volume Description
3010001B UC Z      Device Alternate Identifier
3010002D LO D      Device Label
30100031 UI U      Referenced Fiducials UID
30100033 SH D      User Content Label
30100034 LO D      User Content Long Label
30100035 SH D      Entity Label
30100036 LO X      Entity Name
30100037 ST X      Entity Description
30100038 LO D      Entity Long Label
3010003B UI U      RT Treatment Phase UID
30100043 ST Z      Manufacturer's Device Identifier
3010004C DA X/D    Intended Phase Start Date
3010004D DA X/D    Intended Phase End Date
30100054 LO D      RT Prescription Label
30100056 LO X/D    RT Treatment Approach Label
3010005A UT Z      RT Physician Intent Narrative
3010005C ST Z      Reason for Superseding
30100061 UT X      Prior Treatment Dose Description
3010006E UI U      Dosimetric Objective UID
3010006F UI U      Referenced Dosimetric Objective UID
30100077 LO X/D    Treatment Site
3010007A UT Z      Treatment Technique Notes
3010007B UT Z      Prescription Notes
3010007F UT Z      Fractionation Notes
30100081 SQ Z      Prescription Notes Sequence
30100085 TM X      Intended Fraction Start Time
40000010 LT X      Arbitrary
40004000 LT X      Text Comments
40080040 SH X      Results ID
40080042 LO X      Results ID Issuer
40080100 DA X      Interpretation Recorded Date
40080101 TM X      Interpretation Recorded Time
40080102 PN X      Interpretation Recorder
40080108 DA X      Interpretation Transcription Date
40080109 TM X      Interpretation Transcription Time
4008010A PN X      Interpretation Transcriber
4008010B ST X      Interpretation Text
4008010C PN X      Interpretation Author
40080111 SQ X      Interpretation Approver Sequence
40080112 DA X      Interpretation Approval Date
40080113 TM X      Interpretation Approval Time
40080114 PN X      Physician Approving Interpretation
40080115 LT X      Interpretation Diagnosis Description
40080118 SQ X      Results Distribution List Sequence
40080119 PN X      Distribution Name
4008011A LO X      Distribution Address
40080200 SH X      Interpretation ID
40080202 LO X      Interpretation ID Issuer
40080300 ST X      Impressions
40084000 ST X      Results Comments
FFFAFFFA SQ X      Digital Signatures Sequence
FFFCFFFC OB X      Data Set Trailing Padding
`

/** Names, addresses and free text of people that the table passes over; they go as well. */
const beyondTable = `
00080051 SQ X      Issuer of Accession Number Sequence
00081190 UR X      Retrieve URL
00100024 SQ X      Issuer of Patient ID Qualifiers Sequence
00100026 SQ X      Source Patient Group Identification Sequence
00100027 SQ X      Group of Patients Identification Sequence
00100033 LO X      Patient's Birth Date in Alternative Calendar
00100034 LO X      Patient's Death Date in Alternative Calendar
00140104 PN X      Secondary Reviewer Name
00142006 PN X      Evaluator Name
0018991A UT X      Instruction Performance Comment
0022112C LT X      Calculation Comment
00240044 LT X      Comments on Patient's Performance of Visual Field
00287FE0 UR X      Pixel Data Provider URL
00321031 SQ X      Requesting Physician Identification Sequence
00380502 SQ X      Patient Clinical Trial Participation Sequence
00400026 SQ X      Order Placer Identifier Sequence
00400027 SQ X      Order Filler Identifier Sequence
00400400 LT X      Comments on the Scheduled Procedure Step
00404073 UR X      Storage URL
0040A067 PN X      Document Author (Trial)
0040A068 SQ X      Document Author Identifier Code Sequence (Trial)
0040A076 SQ X      Documenting Observer Identifier Code Sequence (Trial)
0040A160 UT D      Text Value
0040E001 ST X      HL7 Instance Identifier
0040E010 UR X      Retrieve URI
00440106 UT X      Assertion Comments
00660004 LT X      Surface Comments
01000424 LT X      SOP Authorization Comment
30040006 LO X      Dose Comment
300600C8 LO X      Frame of Reference Transformation Comment
30080202 ST X      Treatment Status Comment
300A0402 ST X      Setup Image Comment
30100019 SQ X      Author Identification Sequence
`

const rules = new Map<number, Rule>([...read(table, false), ...read(beyondTable, true)])

function* read(text: string, isBeyond: boolean): Iterable<[number, Rule]> {
  for (const line of text.trim().split('\n')) {
    // The actions are those of the table above, which a test reads row by row.
    const action = line.slice(12, 18).trim() as Action
    yield [
      Number.parseInt(line.slice(0, 8), 16),
      { vr: line.slice(9, 11), action, name: line.slice(19), isBeyond },
    ]
  }
}
