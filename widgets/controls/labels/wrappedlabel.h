// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QString>

class QLabel;

namespace lk {

/// A label whose text breaks into lines, may be selected by the mouse, and is never markup: it may
/// tell what a server or a file holds.
QLabel* wrappedLabel(const QString& text = {});
QLabel* wrappedLabel(const QString& text, const QFont& font);

} // namespace lk
