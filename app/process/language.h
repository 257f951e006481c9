// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QCoreApplication;

namespace lk {

/// From now on texts are in the user's language as far as they are translated, else in English with
/// its plurals: "1 item", "2 items". For as long as the application lives.
void installTranslators(QCoreApplication& app);

} // namespace lk
