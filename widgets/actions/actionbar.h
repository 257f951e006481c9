// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/actions/actiondraft.h"

#include <QWidget>

#include <functional>

class QHBoxLayout;
class QMenu;
class QToolButton;

namespace lk {

/// Adds the offers to the menu. Actions that remove something come last, behind a separator.
void addOffersTo(QMenu* menu, const std::vector<ActionOffer>& offers, QObject* context,
                 const std::function<void(const Action*)>& chosen);

/// The actions for the primitive above the bar. Shows as many buttons as fit; the rest is in a
/// menu.
class ActionBar final : public QWidget
{
    Q_OBJECT

public:
    explicit ActionBar(QWidget* parent = nullptr);

    void setOffers(const std::vector<ActionOffer>& offers);

signals:
    void chosen(const lk::Action* action);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    QSize minimumSizeHint() const override;

private:
    void rebuild();
    void fit();

    QHBoxLayout* m_layout;
    std::vector<ActionOffer> m_offers;
    std::vector<QToolButton*> m_buttons; ///< for the first offers, in their order
    QToolButton* m_more;
    size_t m_shown = 0; ///< buttons; the offers after them are in the menu
};

} // namespace lk
