import Testing

extension MeterTests {
  /// What an independent program measures of a star of ``MadeField``.
  struct Expected: Sendable, CustomTestStringConvertible {
    var isWeighted: Bool
    var hasHoles: Bool
    var scalesGain: Bool
    var star: Int
    /// The variances of the barycentre along x and y, and the mixed one.
    var errors: [Double]
    /// The thresholds of the smoothed pixels and of the unsmoothed ones.
    var thresholds: [Double]
    /// The pixels over the eight levels.
    var areas: [Int32]
    var fwhm: Double
    /// The fluxes and their variances within 3 and 8 pixels.
    var apertures: [Double]
    /// The radius, the flux and the variance.
    var kron: [Double]
    var petrosian: [Double]
    /// The radii of 0.2, 0.5, 0.9 and 1.2 times the Kron flux.
    var radii: [Double]
    /// The place, the moments, the errors, the flux and its variance.
    var window: [Double]
    var iterations: Int16

    var testDescription: String {
      "star \(star), weighted: \(isWeighted), holes: \(hasHoles), gain scaled: \(scalesGain)"
    }
  }

  static let expected = [
    Expected(
      isWeighted: false, hasHoles: false, scalesGain: false, star: 0,
      errors: [0.000480574877894453, 0.000334443823550669, 7.02332713112928e-08],
      thresholds: [18, 15],
      areas: [74, 65, 48, 38, 26, 18, 12, 5],
      fwhm: 4.13751162226117,
      apertures: [3766.53702697754, 1996.22851348877, 6344.75971447826, 3976.05985723913],
      kron: [4.5369218054915, 6507.64786371589, 4169.82393185794],
      petrosian: [6.6, 7029.74955182895, 5430.87477591448],
      radii: [1.32345987924396, 2.59665333335202, 6.2183885449987, 12.3294111091508],
      window: [
        27.3192622326283, 31.5996506513349, 2.31655619352269, 1.88188359945297,
        -0.00108692509329441, 0.000752949646743606, 0.000656260187525687, -5.68880784102517e-07,
        3175.50865097719, 1191.07214055431,
      ],
      iterations: 5),
    Expected(
      isWeighted: false, hasHoles: false, scalesGain: false, star: 2,
      errors: [0.000762936439593445, 0.000761096140251157, 2.76025129278344e-05],
      thresholds: [18, 15],
      areas: [29, 24, 20, 16, 13, 7, 5, 4],
      fwhm: 3.05084186739773,
      apertures: [1391.49125808716, 808.545629043579, 1828.41066584408, 1516.92533292204],
      kron: [4.27674169459256, 1753.15398204327, 1196.57699102163],
      petrosian: [6.6, 1838.49606458843, 1575.24803229421],
      radii: [0.960619191410767, 1.83579729578655, 3.77659286916569, 7.80966477330217],
      window: [
        3.73182526991718, 52.4046322558184, 1.16700260039243, 1.06221222971615,
        -0.00531789941316708, 0.00152246224889936, 0.00143283401091222, -3.64718631753685e-06,
        879.1491304485, 336.317285509985,
      ],
      iterations: 3),
    Expected(
      isWeighted: true, hasHoles: true, scalesGain: true, star: 0,
      errors: [0.000412590406827058, 0.000337634358269907, 1.08295359355246e-05],
      thresholds: [20.8656425476074, 17.3880346790544],
      areas: [62, 57, 41, 34, 24, 18, 11, 5],
      fwhm: 4.15255673813096,
      apertures: [3760.42523376465, 3296.34943722725, 6308.65065580964, 5684.16349539746],
      kron: [4.74669576382388, 6430.14894410968, 5776.00163795101],
      petrosian: [6.6, 7001.5768814981, 7365.26882664673],
      radii: [1.33027307178189, 2.55018671808461, 6.09394290779953, 11.2035149142954],
      window: [
        27.3189389753121, 31.5988032743402, 2.26553738030024, 1.84287965972617,
        -0.00173672505150077, 0.00104653668358622, 0.000914030043768746, -7.52927377419824e-07,
        3126.39630873713, 1645.99065186681,
      ],
      iterations: 4),
    Expected(
      isWeighted: true, hasHoles: true, scalesGain: true, star: 2,
      errors: [0.000821406213305257, 0.000753871498810055, 2.47178589745609e-05],
      thresholds: [15.6289987564087, 15],
      areas: [31, 24, 20, 16, 13, 7, 5, 4],
      fwhm: 3.04775317909586,
      apertures: [1391.99770744324, 941.465273444056, 1826.50212743461, 1623.58515521982],
      kron: [4.19841201660808, 1748.28127527237, 1242.81643251516],
      petrosian: [6.6, 1846.0617556721, 1714.57346926513],
      radii: [0.967159668737594, 1.83791371307891, 3.76651072174891, 8.07409064069585],
      window: [
        3.73194802707004, 52.4046285989443, 1.16852947370481, 1.06362520026841,
        -0.00533202571433162, 0.00158873416041938, 0.00149531362888361, -3.8962083882214e-06,
        880.074261638897, 351.148247678291,
      ],
      iterations: 3),
    Expected(
      isWeighted: true, hasHoles: false, scalesGain: false, star: 1,
      errors: [0.000543869724149395, 0.000498268047393419, -4.35757689133494e-07],
      thresholds: [22.3872165679932, 18.6560144457491],
      areas: [55, 47, 38, 27, 21, 14, 9, 4],
      fwhm: 4.0084819286552,
      apertures: [2660.96066818237, 1514.27533409119, 4741.46582699656, 3667.70041349828],
      kron: [5.08866190899643, 4901.64577432349, 4012.82288716175],
      petrosian: [7.92, 5464.30735531077, 6586.90367765538],
      radii: [1.41097247051614, 2.77137670826793, 6.62875629067185, 10.5626466343898],
      window: [
        40.1623656166646, 35.0815063982978, 2.41477343435313, 2.36756486348466, 0.016514192221598,
        0.00119363799181445, 0.00118868842065493, 8.15720392203184e-07, 2383.34816679721,
        961.932063213874,
      ],
      iterations: 4),
  ]
}
