// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/monitor/digest.h"

#include <QAbstractListModel>
#include <QListView>

namespace lk {

/// Primitives of a digest as lines: icon, name, what about it. Keeps the selection on the same
/// primitive while lines move.
class DigestModel final : public QAbstractListModel
{
    Q_OBJECT

public:
    enum Role { HandleRole = Qt::UserRole + 1 };

    using QAbstractListModel::QAbstractListModel;

    void setItems(std::vector<DigestItem> items);
    const DigestItem& item(int row) const { return m_items[size_t(row)]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    std::vector<DigestItem> m_items;
};

/// A list of them; Return or a double click goes to the primitive's board.
class DigestList final : public QListView
{
    Q_OBJECT

public:
    enum class Show : quint8 {
        Reason, ///< a sentence under the name
        Fill,   ///< a bar of used and limit beside the name
        Rate,   ///< requests a second
        Depth,  ///< how many items wait
    };

    DigestList(Show show, const QString& accessibleName, QWidget* parent = nullptr);

    void setItems(const std::vector<DigestItem>& items);

signals:
    void chosen(lk::Kind kind, lk::Handle handle);

protected:
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

private:
    void choose(const QModelIndex& index);

    DigestModel* m_model;
    Handle m_current = noHandle; ///< what a person went to; while it has no line, none is current
    bool m_restoring = false;
};

} // namespace lk
