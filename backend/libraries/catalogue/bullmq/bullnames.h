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

/// Splits the name of a queue's own key. The stem is empty if the last segment is not the name of
/// such a key.
BullName bullNameOf(const QByteArray& name);

/// Returns substrings of key names. Every name that bullNameOf() or bullJobStem() recognizes
/// contains at least one of them, except for the hash of a job.
std::vector<QByteArray> bullNameParts();

/// Returns the stems that a job's key of that name may belong to, likeliest first.
std::vector<QByteArray> bullOwnersOf(const QByteArray& name);

/// Returns the stem of a job's key if the name leaves no doubt about where the stem ends: stem:12,
/// stem:<uuid>, stem:<any>:lock, stem:<any>:logs. Returns an empty array otherwise.
QByteArray bullJobStem(const QByteArray& name, KeyType type);

/// Returns the queue's name as its users know it: without the prefix.
QByteArray bullQueueName(const QByteArray& stem);

} // namespace lk
