// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSplitter>
#include <QVariantList>

namespace lk {

/// A table, and beside it the pane with the selected row. The user may move the line between them.
class PaneSplitter final : public QSplitter
{
    Q_OBJECT

public:
    /// Takes ownership of both. The sizes are in pixels and apply until the user moves the line.
    PaneSplitter(QWidget* table, QWidget* pane, int tableSize, int paneSize);

    bool isByHand() const { return m_byHand; }
    QVariantList state() const; ///< both sizes; empty: the line was never moved
    void setState(const QVariantList& state);

private:
    const QList<int> m_default;
    bool m_byHand = false;
};

} // namespace lk
