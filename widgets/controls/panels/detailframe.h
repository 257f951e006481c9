// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QScrollArea;
class QStackedLayout;

namespace lk {

class EmptyState;

/// What is selected in a list, beside it: a page that scrolls, over a bar of buttons that does not;
/// where nothing is selected, a text that says what would be here.
class DetailFrame : public QWidget
{
    Q_OBJECT

protected:
    explicit DetailFrame(QWidget* parent = nullptr);

    /// Once. Takes both; bar: null where there is none. name: of the page, for screen readers.
    void build(QWidget* page, QWidget* bar, const QString& name);
    EmptyState* nothing() const { return m_nothing; } ///< shown where nothing is selected
    void showPage(bool selected);

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fit();

    QStackedLayout* m_stack;
    QScrollArea* m_scroll;
    EmptyState* m_nothing;
};

} // namespace lk
