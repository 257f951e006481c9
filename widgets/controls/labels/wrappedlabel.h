// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QString>

class QLabel;

namespace lk {

/// A label whose text wraps and can be selected by the mouse. The text is never markup, because it
/// may come from a server or a file.
QLabel* wrappedLabel(const QString& text = {});
QLabel* wrappedLabel(const QString& text, const QFont& font);

} // namespace lk
