// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/board/summary.h"

#include <QObject>
#include <QVariantMap>

class QTableView;
class QToolButton;

namespace lk {

class PrimitiveModel;

/// The user's grouping of a board's rows, and which groups are collapsed. It is set by the button's
/// menu, by a click on a header row, and by keys in the table (Left and Right, Space and Enter).
/// Child of the table.
class RowGroups final : public QObject
{
    Q_OBJECT

public:
    /// table: it has its model, which is that one.
    RowGroups(PrimitiveModel* model, QTableView* table);

    QToolButton* button() const { return m_button; } ///< for the place that takes it
    void addTo(BoardQuery& query) const;

    QVariantMap state() const; ///< empty: not grouped, nothing collapsed
    void setState(const QVariantMap& state);
    void updateIcons();

signals:
    void changed(); ///< the rows must be queried again

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildMenu();
    void choose(BoardGrouping grouping);
    void update();
    bool onKey(int key);
    void setCollapsed(const BoardGroup& group, bool collapsed);
    void setAllCollapsed(bool collapsed);

    PrimitiveModel* m_model;
    QTableView* m_table;
    QToolButton* m_button;
    BoardGrouping m_grouping = BoardGrouping::None;
    QSet<QByteArray> m_collapsed; ///< digests
};

} // namespace lk
