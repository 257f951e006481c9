// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QScrollArea;
class QStackedLayout;

namespace lk {

class EmptyState;

/// The pane beside a list with the selected row: a page that scrolls, over a bar of buttons that
/// does not. Shows an explanation if nothing is selected.
class DetailFrame : public QWidget
{
    Q_OBJECT

protected:
    explicit DetailFrame(QWidget* parent = nullptr);

    /// Called once. Takes ownership of both. bar: may be null. name: the page's name, for screen
    /// readers.
    void build(QWidget* page, QWidget* bar, const QString& name);
    EmptyState* nothing() const { return m_nothing; } ///< shown if nothing is selected
    void showPage(bool selected);

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fit();

    QStackedLayout* m_stack;
    QScrollArea* m_scroll;
    EmptyState* m_nothing;
};

} // namespace lk
