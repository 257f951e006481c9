// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

// For any thread.
namespace lk {

/// The name of a demo key in a cluster. Names that belong together get a hash tag, so that they
/// share a slot ("{checkout}:rate"); others are unchanged.
QByteArray clusteredName(const QByteArray& key);

/// The demo's configuration file, for a cluster or not.
QByteArray demoToml(bool clustered);

} // namespace lk
