// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <optional>

namespace lk {

// Secrets that the kernel keeps in memory for the programs of one user, until the user's last
// process has ended or their time is over (keyrings(7)); no desktop is needed. Linux; elsewhere,
// and where a container denies it, nothing is kept. Names are this program's own.

/// Nothing: there is none of that name, or none can be kept here.
std::optional<QByteArray> userSecret(const QByteArray& name);

/// Replaces the one of that name. Returns errno; 0: it is kept.
int keepUserSecret(const QByteArray& name, const QByteArray& secret, int seconds);

/// Begins its time anew, if it is there.
void prolongUserSecret(const QByteArray& name, int seconds);

/// Forgets it, if it is there.
void forgetUserSecret(const QByteArray& name);

} // namespace lk
