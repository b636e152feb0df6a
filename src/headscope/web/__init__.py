"""The page: report, live server and notebook views, all showing the same built client."""
