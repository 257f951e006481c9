// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/board/rowstates.h"
#include "backend/session/board/summary.h"

#include <QHash>

namespace lk {

/// Returns whether rows of the kind can be grouped that way. Kinds with an owner column can be
/// grouped by owner.
bool canGroupBy(Kind kind, BoardGrouping grouping);

/// Returns the part of a key's name up to and including its first separator (":", else "/", else
/// "."). Empty if there is none. For a token it contains nothing of the code.
QByteArray prefixOf(Kind kind, const QByteArray& key);

/// Groups sorted rows under header rows. A group keeps its header handle as long as it exists, so
/// that its row is found again.
class BoardGroups
{
public:
    /// Fills rows.rows and rows.groups from rows.all, as rows.query demands.
    void arrange(BoardRows& rows, const RowStates& states);

private:
    struct Known
    {
        Handle header;
        QByteArray digest;
    };

    const Known& known(const QByteArray& key);
    void forgetOthers(const QHash<QByteArray, int>& live);

    QHash<QByteArray, Known> m_known; ///< by the group's prefix, layout or owner
    quint32 m_lastHeader = 0;
};

} // namespace lk
