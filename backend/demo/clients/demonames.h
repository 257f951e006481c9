// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

// For any thread.
namespace lk {

/// What a key of the demo is called in a cluster: the names that belong together get a hash tag, so
/// that they lie in one slot ("{checkout}:rate"); the others stay as they are.
QByteArray clusteredName(const QByteArray& key);

/// The demo's configuration file, for a cluster or not.
QByteArray demoToml(bool clustered);

} // namespace lk
