// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/board/summary.h"
#include "widgets/controls/tables/rowmodel.h"

#include <QListView>

namespace lk {

/// A line of a summary.
struct SummaryLine
{
    SummaryItem item;
    QString age; ///< how long ago it was read; empty: just now
};

/// Primitives of a digest as lines: icon, name, and a detail.
class SummaryModel final : public RowModel<SummaryLine>
{
    Q_OBJECT

public:
    enum Role { HandleRole = Qt::UserRole + 1 };

    explicit SummaryModel(QObject* parent = nullptr);

    /// ages: see SummaryList::setItems().
    void setItems(const std::vector<SummaryItem>& items, const QStringList& ages = {});

    QVariant data(const QModelIndex& index, int role) const override;
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
