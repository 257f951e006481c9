// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>

namespace lk {

/// A field to search or filter by, with a magnifying glass. name: for screen readers.
QLineEdit* searchField(const QString& name, const QString& placeholder);

} // namespace lk
