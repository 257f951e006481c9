// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/detect/probe.h"

#include <QByteArray>

#include <vector>

namespace lk {

// How the keys of Bull and BullMQ are named: <prefix>:<queue> is the stem, "bull:email"; the
// queue's own keys are stem:wait, stem:active, ...; those of a job stem:<id>, stem:<id>:lock,
// stem:<id>:logs. Checked against keys of Bull 3 and 4 and BullMQ 4, 5 and 6.

/// A key's name, taken apart: "bull:email:wait" is the part "wait" of "bull:email".
struct BullName
{
    QByteArray stem;
    QByteArray part; ///< "wait"; empty: a key of one job or of one schedule
};

/// What that name would be a part of: a queue's own key where its last segment says so.
/// Empty stem: neither.
BullName bullNameOf(const QByteArray& name);

/// Of these a name has at least one that bullNameOf() or bullJobStem() tells anything of, unless it
/// is a job's hash.
std::vector<QByteArray> bullNameParts();

/// The stems of which a key of that name would be a job's, likeliest first.
std::vector<QByteArray> bullOwnersOf(const QByteArray& name);

/// The stem whose job a key of that name is without doubt about which part is the stem: stem:12,
/// stem:<uuid>, stem:<any>:lock, stem:<any>:logs. Empty: it may be anything.
QByteArray bullJobStem(const QByteArray& name, KeyType type);

/// The queue's name as its users know it: what follows the prefix.
QByteArray bullQueueName(const QByteArray& stem);

} // namespace lk
