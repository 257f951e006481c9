// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/board/summary.h"

#include <QAbstractListModel>
#include <QListView>

namespace lk {

/// Primitives of a digest as lines: icon, name, and a detail. Keeps the selection on the same
/// primitive while lines move.
class SummaryModel final : public QAbstractListModel
{
    Q_OBJECT

public:
    enum Role { HandleRole = Qt::UserRole + 1 };

    using QAbstractListModel::QAbstractListModel;

    /// ages: see SummaryList::setItems().
    void setItems(std::vector<SummaryItem> items, QStringList ages = {});
    QString age(int row) const { return m_ages.value(row); }
    const SummaryItem& item(int row) const { return m_items[size_t(row)]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    std::vector<SummaryItem> m_items;
    QStringList m_ages;
};

/// A list of them; Return or a double click goes to the primitive's board.
class SummaryList final : public QListView
{
    Q_OBJECT

public:
    /// The contents of a line besides the name.
    enum class Show : quint8 {
        Reason, ///< a sentence under the name
        Fill,   ///< a bar of used and limit beside the name
        Rate,   ///< requests a second
        Depth,  ///< how many items wait
    };

    SummaryList(Show show, const QString& accessibleName, QWidget* parent = nullptr);

    /// Stands in the list while it has no line.
    void setNoneText(const QString& text);

    /// ages: of each item how long ago it was read; empty: just now.
    void setItems(const std::vector<SummaryItem>& items, const QStringList& ages = {});

signals:
    void chosen(lk::Kind kind, lk::Handle handle);
    void findingChosen(quint64 id);

protected:
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void choose(const QModelIndex& index);
    void describe();

    SummaryModel* m_model;
    QString m_noneText;
    /// The line that the user selected, a primitive or a finding. No line is current while it has
    /// none.
    std::pair<Handle, quint64> m_current{noHandle, 0};
    bool m_restoring = false;
};

} // namespace lk
