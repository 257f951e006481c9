// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/board/rowstates.h"
#include "backend/session/board/summary.h"

#include <QHash>

namespace lk {

/// Whether rows of the kind can be grouped so: owners have those that have a column for them.
bool canGroupBy(Kind kind, BoardGrouping grouping);

/// What stands before the first separator of a key's name (":", else "/", else "."), it included;
/// empty: nothing does. Of a token nothing of its code.
QByteArray prefixOf(Kind kind, const QByteArray& key);

/// Puts rows that are in order under the header row of their group each. A group has the same
/// header handle as long as it is there, so that its row is found again.
class BoardGroups
{
public:
    /// Fills rows.rows and rows.groups from rows.all; the query says how.
    void arrange(BoardRows& rows, const RowStates& states);

private:
    struct Known
    {
        Handle header;
        QByteArray digest;
    };

    const Known& known(const QByteArray& key);
    void forgetOthers(const QHash<QByteArray, int>& live);

    QHash<QByteArray, Known> m_known; ///< by what the group is of
    quint32 m_lastHeader = 0;
};

} // namespace lk
