// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace lk {

/// Runs `lockkeeper act` with what follows these words; its exit code. Needs a QCoreApplication.
int runAct(const QStringList& words, const QString& passwordVariable);

} // namespace lk
