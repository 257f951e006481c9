// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/families/files/filelayout.h"

namespace lk {

/// A lock that a file describes, including how it wakes up waiters.
class LockFileLayout : public FileLayout
{
public:
    using FileLayout::FileLayout;

    /// A list on which waiters block is a part of its lock.
    std::vector<QByteArray> ownersOf(const QByteArray& name) const override;
    std::vector<std::pair<QByteArray, QByteArray>>
    releaseMessages(const Primitive& primitive, const QByteArray& value) const override;
    QByteArray signalElement(const Primitive& primitive, const QByteArray& value) const override;
};

} // namespace lk
